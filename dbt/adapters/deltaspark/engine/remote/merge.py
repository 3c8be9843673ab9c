"""A merge as one MERGE statement, which the server runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import growing, once
from ..errors import SpecError
from ..merge import MergeFrame, merge_text, sql_texts
from ..plan import MergePlan
from ..result import MergeResult
from .commits import REASON, as_view, committed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..merge import MergeText

PART = r"(?:`(?:[^`]|``)+`|\w+)"
TARGET = re.compile(
    rf"\bMERGE\s+(?:WITH\s+SCHEMA\s+EVOLUTION\s+)?INTO\s+({PART}(?:\s*\.\s*{PART})*)", re.IGNORECASE
)
NO_EXPRESSION = "PARSE_SYNTAX_ERROR"


def merge(
    request: MergeText | MergeFrame,
    *,
    conflict_retries: int,
    user_metadata: str | None = None,
    idempotency_key: str | None = None,
    use_native: bool = False,
) -> MergeResult:
    """Raises what Delta's MERGE raises; after any error the table is as it was."""
    spark, table = request.spark, _table(request)
    commit = committed(
        spark,
        table,
        lambda: _run(request),
        confs={**growing(request.evolves), **once(idempotency_key)},
        conflict_retries=conflict_retries,
        user_metadata=user_metadata,
    )
    return MergeResult.natively(commit, MergePlan("native", REASON, table))


def _run(request: MergeText | MergeFrame) -> None:
    """One attempt; a server analyzes a frame each time anew."""
    with request.computed(again=False) as now, _statement(now) as statement:
        now.spark.sql(statement).collect()


def _table(request: MergeText | MergeFrame) -> str:
    if isinstance(request, MergeFrame):
        return request.target
    found = TARGET.search(request.statement)
    if found is None:
        raise SpecError(f"no MERGE INTO a table: {request.statement[:80]!r}")
    return found[1]


@contextmanager
def _statement(request: MergeText | MergeFrame) -> Iterator[str]:
    if not isinstance(request, MergeFrame):
        yield request.statement
        return
    for text in sql_texts(request.spec):
        refuse_other_than_one_expression(request.spark, text)
    with as_view(request.source) as source:
        yield merge_text(request.target, source, request.spec)


def refuse_other_than_one_expression(spark: SparkSession, text: str) -> None:
    """Raises the parser's error for what is no expression by itself, such as `id) or (1=1`."""
    try:
        spark.range(0).select(F.expr(text)).schema  # noqa: B018  Spark Connect analyzes here
    except PySparkException as error:
        if error.getCondition() == NO_EXPRESSION:
            raise
