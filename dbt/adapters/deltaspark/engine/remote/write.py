"""Writes as the server's own commands: one commit each, but for new columns with constraints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import conditions, once
from ..errors import EngineError, ReplaceWhereViolationError, row_text
from ..plan import ChangePlan
from ..result import MergeResult
from ..write import CASTS
from . import tables
from .commits import REASON, committed, is_there, plain
from .merge import refuse_other_than_one_expression
from .replaced import replace_matches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriterV2, SparkSession

    from ..spec import WriteSpec

AUTO_MERGE = "spark.databricks.delta.schema.autoMerge.enabled"
PARTITION_MODE = "partitionOverwriteMode"
VIOLATED = "DELTA_REPLACE_WHERE_MISMATCH"
SHOWN = 5
"""Rows in an error."""


def write(
    source: DataFrame,
    table: str,
    spec: WriteSpec,
    *,
    conflict_retries: int = 5,
    source_sql: str | None = None,  # noqa: ARG001  the server evaluates the rows anew by itself
) -> MergeResult:
    """Raises what Delta's writer raises, EngineError where the table is there and the mode is
    `error`, and ReplaceWhereViolationError; after any error the table is as it was.
    """
    spark = source.sparkSession
    exists = is_there(spark, table)
    if exists and spec.mode == "error":
        raise EngineError(f"{table} exists already; write to it with mode append or overwrite")
    if exists and spec.mode == "ignore":
        plan = ChangePlan("WRITE", "no_op", "the table exists and the mode is ignore", table)
        return MergeResult.nothing(plan)
    if exists and spec.partition_by and not spec.overwrite_schema:
        _refuse_other_partitions(spark, table, spec.partition_by)
    is_new = not exists or spec.overwrite_schema
    commit = committed(
        spark,
        table,
        _run(source, table, spec, is_new=is_new),
        confs=_confs(spec),
        conflict_retries=conflict_retries,
        user_metadata=spec.user_metadata,
        steps=2 if is_new and spec.columns else 1,
    )
    return MergeResult.natively(commit, ChangePlan("WRITE", "native", REASON, table))


def _refuse_other_partitions(spark: SparkSession, table: str, given: Sequence[str]) -> None:
    detail = spark.sql(f"DESCRIBE DETAIL {table}").select("partitionColumns").collect()[0]
    names = [name.lower() for name in detail[0]]
    if names != [name.lower() for name in given]:
        raise EngineError(
            f"{table} is partitioned by {', '.join(detail[0]) or 'nothing'}, not by"
            f" {', '.join(given)}; leave partition_by out, or replace the table (overwrite_schema)"
        )


def _confs(spec: WriteSpec) -> dict[str, str]:
    grows = {} if spec.merge_schema is None else {AUTO_MERGE: str(spec.merge_schema).lower()}
    return {**CASTS, **grows, **once(spec.idempotency_key)}


def _run(source: DataFrame, table: str, spec: WriteSpec, *, is_new: bool) -> Callable[[], object]:
    spark = source.sparkSession
    if is_new:
        return lambda: tables.create(spark, table, source, spec)
    if spec.replaces_matches:
        return lambda: replace_matches(spark, source, table, spec)
    if spec.replace_where is not None:
        refuse_other_than_one_expression(spark, spec.replace_where)
    return lambda: _written(source, table, spec)


def _written(source: DataFrame, table: str, spec: WriteSpec) -> None:
    """By the names of columns and of fields in structs; INSERT takes fields by their places."""
    writer = source.writeTo(table).options(**dict(spec.options)).options(**spec.growth)
    if spec.mode == "append":
        writer.append()
    elif spec.dynamic_partitions:
        writer.option(PARTITION_MODE, "dynamic").overwritePartitions()
    elif spec.replace_where is None:
        writer.option(PARTITION_MODE, "static").overwrite(F.lit(True))
    else:
        _replace_where(source, table, writer, spec.replace_where)


def _replace_where(
    source: DataFrame, table: str, writer: DataFrameWriterV2, predicate: str
) -> None:
    """Not by `overwrite(predicate)`, which takes few expressions."""
    try:
        writer.option("replaceWhere", predicate).overwrite(F.lit(True))
    except PySparkException as error:
        if VIOLATED not in conditions(error):
            raise
        outside = source.where(~F.coalesce(F.expr(f"({predicate}\n)"), F.lit(False)))
        texts = [row_text(row.asDict()) for row in outside.limit(SHOWN).collect()]
        raise ReplaceWhereViolationError(plain(table), predicate, texts) from error
