"""A merge as one MERGE statement, which the server runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import growing, once
from ..errors import DuplicateKey, DuplicateMatchError, SpecError, row_text
from ..merge import MergeFrame, merge_text, sql_texts
from ..plan import MergePlan
from ..result import MergeResult
from ..spec import quoted
from .analysis import refuse_other_than_one_expression
from .commits import REASON, as_view, committed, plain
from .deleted_once import is_done, merge_each_once, merge_text_each_once, strict_spec, strict_text
from .properties import refuse_repeated_hours_in
from .statement_parts import source_apart, target_of

if TYPE_CHECKING:
    from ..merge import MergeText
    from ..spec import MergeSpec

OURS, THEIRS = "source", "target"
PLACE, COUNT = "__place", "__count"
SHOWN = 5
"""Keys in an error."""


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
    refuse_repeated_hours_in(spark, table)
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
    with request.computed(again=False) as now:
        if isinstance(now, MergeFrame):
            _merge_frame(now)
        else:
            _merge_text(now)


def _merge_text(request: MergeText) -> None:
    spark, table = request.spark, _table(request)
    with _over_a_view(request) as statement:
        strict = strict_text(spark, table, statement)
        if strict is None:
            spark.sql(statement).collect()
        elif not is_done(lambda: spark.sql(strict).collect()):
            merge_text_each_once(request, table)


@contextmanager
def _over_a_view(request: MergeText) -> Iterator[str]:
    """The statement with its source analyzed by itself, as that of a DataFrame is.

    Within the statement Spark pads what is read of a CHAR column after Delta resolved the clauses.
    """
    apart = source_apart(request.statement)
    if apart is None:
        yield request.statement
        return
    query, over = apart
    with as_view(request.spark.sql(query)) as view:
        yield over(view)


def _merge_frame(request: MergeFrame) -> None:
    spark = request.spark
    for text in sql_texts(request.spec):
        refuse_other_than_one_expression(spark, text)
    strict = strict_spec(spark, request.target, request.spec)
    if strict is None:
        _merge_as_it_is(request)
    elif not is_done(lambda: _run_frame(request, strict)):
        merge_each_once(request, strict)


def _merge_as_it_is(request: MergeFrame) -> None:
    try:
        _run_frame(request, request.spec)
    except PySparkException as error:
        if error.getCondition() != DuplicateMatchError.error_class:
            raise
        keys: list[DuplicateKey] = []
        with suppress(PySparkException):  # where ON cannot be told apart from the statement
            keys = _duplicates(request)
        raise DuplicateMatchError(plain(request.target), keys) from error


def _run_frame(request: MergeFrame, spec: MergeSpec) -> None:
    with as_view(request.source) as source:
        request.spark.sql(merge_text(request.target, source, spec)).collect()


def _duplicates(request: MergeFrame) -> list[DuplicateKey]:
    """Some rows of the target that several source rows match, by the source's columns in ON."""
    on, spec = request.spec.on, request.spec
    names = [name for name in request.source.columns if re.search(rf"\b{re.escape(name)}\b", on)]
    ours, theirs = spec.source_alias or OURS, spec.target_alias or THEIRS
    place = (F.col("_metadata.file_path"), F.col("_metadata.row_index"))
    rows = request.spark.table(request.target).select("*", F.struct(*place).alias(PLACE))
    met = rows.alias(theirs).join(request.source.alias(ours), F.expr(f"({on}\n)"))
    keys = [F.first(F.col(f"{quoted(ours)}.{quoted(name)}")).alias(name) for name in names]
    counted = met.groupBy(PLACE).agg(F.count(F.lit(1)).alias(COUNT), *keys)
    found = counted.where(F.col(COUNT) > 1).drop(PLACE).limit(SHOWN).collect()
    return [DuplicateKey(row_text(dict(zip(names, keys, strict=True))), n) for n, *keys in found]


def _table(request: MergeText | MergeFrame) -> str:
    if isinstance(request, MergeFrame):
        return request.target
    target = target_of(request.statement)
    if target is None:
        raise SpecError(f"no MERGE INTO a table: {request.statement[:80]!r}")
    return target
