"""Writes as the server's own commands: one commit each, but for new columns with constraints."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import once
from ..errors import EngineError, ReplaceWhereViolationError, row_text
from ..plan import ChangePlan
from ..result import MergeResult
from ..spec import quoted
from . import tables
from .commits import REASON, as_view, committed, is_there
from .merge import refuse_other_than_one_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from ..spec import WriteSpec

AUTO_MERGE = "spark.databricks.delta.schema.autoMerge.enabled"
PARTITION_MODE = "spark.sql.sources.partitionOverwriteMode"
VIOLATED = "DELTA_REPLACE_WHERE_MISMATCH"
SHOWN = 5
"""Rows in an error."""
NEW, OLD = "__new", "__old"


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
    with as_view(source) as view:
        commit = committed(
            spark,
            table,
            _run(spark, source, table, view, spec, is_new=not exists or spec.overwrite_schema),
            confs={**_confs(spec), **once(spec.idempotency_key)},
            conflict_retries=conflict_retries,
            user_metadata=spec.user_metadata,
        )
    return MergeResult.natively(commit, ChangePlan("WRITE", "native", REASON, table))


def _confs(spec: WriteSpec) -> dict[str, str]:
    grows = {} if spec.merge_schema is None else {AUTO_MERGE: str(spec.merge_schema).lower()}
    return {**grows, PARTITION_MODE: "dynamic" if spec.dynamic_partitions else "static"}


def _run(
    spark: SparkSession, source: DataFrame, table: str, view: str, spec: WriteSpec, *, is_new: bool
) -> Callable[[], object]:
    if is_new:
        return lambda: tables.create(spark, table, source, view, spec)
    if spec.replace_where is not None:
        predicate = spec.replace_where
        refuse_other_than_one_expression(spark, predicate)
        return lambda: _replace_where(source, table, spec, predicate)
    if spec.replaces_matches:
        return lambda: spark.sql(replacing_merge(table, view, source.columns, spec)).collect()
    verb = "INSERT OVERWRITE" if spec.mode == "overwrite" else "INSERT INTO"
    return lambda: spark.sql(f"{verb} {table} BY NAME SELECT * FROM {view}").collect()


def _in_types_of(table: StructType, source: DataFrame) -> DataFrame:
    """The rows with the types that the table's columns have: this writer casts little by itself."""
    theirs = {field.name.lower(): field.dataType for field in table.fields}
    kinds = {name: theirs.get(name.lower()) for name in source.columns}
    return source.select(
        *(
            F.col(quoted(name)) if kind is None else F.col(quoted(name)).cast(kind).alias(name)
            for name, kind in kinds.items()
        )
    )


def _replace_where(source: DataFrame, table: str, spec: WriteSpec, predicate: str) -> None:
    rows = _in_types_of(source.sparkSession.table(table).schema, source)
    writer = rows.write.format("delta").mode("overwrite").options(**dict(spec.options))
    try:
        writer.options(**spec.growth).option("replaceWhere", predicate).saveAsTable(table)
    except PySparkException as error:
        if error.getCondition() != VIOLATED:
            raise
        outside = rows.where(~F.coalesce(F.expr(f"({predicate}\n)"), F.lit(False)))
        texts = [row_text(row.asDict()) for row in outside.limit(SHOWN).collect()]
        raise ReplaceWhereViolationError(table, predicate, texts) from error


def replacing_merge(table: str, view: str, columns: list[str], spec: WriteSpec) -> str:
    """A MERGE that takes away the rows that match a new one, and adds the new ones, all of them.

    Each new row comes twice: once to take away, once to be added. Where several take the same row
    away that is no conflict: a DELETE without a condition is the only clause for matched rows.
    """
    old, new = spec.target_alias or OLD, spec.source_alias or NEW
    flag = "__is_new"
    if spec.replace_on is None:
        pairs = (f"{old}.{quoted(c)} = {new}.{quoted(c)}" for c in spec.replace_using)
        condition = " AND ".join(pairs)
    else:
        condition = spec.replace_on
    names = ", ".join(map(quoted, columns))
    values = ", ".join(f"{quoted(new)}.{quoted(name)}" for name in columns)
    rows = f"SELECT *, explode(array(true, false)) AS {flag} FROM {view}"  # evaluated once
    evolution = "WITH SCHEMA EVOLUTION " if spec.merge_schema else ""
    return (
        f"MERGE {evolution}INTO {table} AS {quoted(old)} USING ({rows}) AS {quoted(new)}\n"
        f"ON NOT {quoted(new)}.{flag} AND ({condition}\n)\n"
        "WHEN MATCHED THEN DELETE\n"
        f"WHEN NOT MATCHED AND {quoted(new)}.{flag} THEN INSERT ({names}) VALUES ({values})"
    )
