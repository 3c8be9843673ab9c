"""DELETE and UPDATE as statements, which the server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..plan import ChangePlan
from ..result import MergeResult
from .analysis import refuse_other_than_one_expression
from .commits import REASON, committed
from .properties import refuse_repeated_hours_in

if TYPE_CHECKING:
    from ..change import ChangeRequest
    from ..plan import Verb


def change(
    request: ChangeRequest, *, conflict_retries: int, user_metadata: str | None = None
) -> MergeResult:
    """Raises what Delta's command raises; after any error the table is as it was."""
    refuse_repeated_hours_in(request.spark, request.table)
    texts = [value for _, value in request.assignments]
    for text in texts if request.condition is None else [*texts, request.condition]:
        refuse_other_than_one_expression(request.spark, text)
    commit = committed(
        request.spark,
        request.table,
        lambda: request.spark.sql(request.statement).collect(),
        conflict_retries=conflict_retries,
        user_metadata=user_metadata,
    )
    verb: Verb = "UPDATE" if request.assignments else "DELETE"
    return MergeResult.natively(commit, ChangePlan(verb, "native", REASON, request.table))
