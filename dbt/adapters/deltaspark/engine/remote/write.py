"""Writes as the server's own commands: one commit each, but for new columns with constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import conditions, once
from ..errors import EngineError, ReplaceWhereViolationError, row_text
from ..plan import ChangePlan
from ..result import MergeResult
from ..spec import quoted
from ..write import CASTS
from . import tables
from .commits import REASON, as_view, committed, is_there, properties_of
from .merge import refuse_other_than_one_expression

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriterV2, SparkSession

    from ..spec import WriteSpec

AUTO_MERGE = "spark.databricks.delta.schema.autoMerge.enabled"
PARTITION_MODE = "partitionOverwriteMode"
VIOLATED = "DELTA_REPLACE_WHERE_MISMATCH"
SHOWN = 5
"""Rows in an error."""
NEW, OLD = "__new", "__old"
FLAG, NTH = "__is_new", "__nth"
CHANGE_FEED = "delta.enableChangeDataFeed"


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
    with as_view(source) as view:
        commit = committed(
            spark,
            table,
            _run(spark, source, table, view, spec, is_new=not exists or spec.overwrite_schema),
            confs=_confs(spec),
            conflict_retries=conflict_retries,
            user_metadata=spec.user_metadata,
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


def _run(
    spark: SparkSession, source: DataFrame, table: str, view: str, spec: WriteSpec, *, is_new: bool
) -> Callable[[], object]:
    if is_new:
        return lambda: tables.create(spark, table, source, view, spec)
    if spec.replaces_matches:
        return lambda: _replaced(spark, table, view, source.columns, spec)
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
        raise ReplaceWhereViolationError(table, predicate, texts) from error


def _replaced(
    spark: SparkSession, table: str, view: str, names: list[str], spec: WriteSpec
) -> None:
    """By one MERGE, whose DELETE may meet a row of the table several times: Delta allows it.

    But not where it writes a change feed: there its MERGE loses other rows then (it takes rows of
    the table and of the source for the same by their numbers, MergeOutputGeneration). So each key
    comes once; of a condition nobody knows what it meets.
    """
    keys: dict[str, str] = {}
    if properties_of(spark, table).get(CHANGE_FEED) == "true":
        if spec.replace_on is not None:
            raise EngineError(
                f"{table} has a change data feed ({CHANGE_FEED}), and over Spark Connect such a"
                " table takes no `replace_on` with a condition: Delta's MERGE, which would do it,"
                " can lose rows. Name columns (`replace_using`), or turn the feed off"
            )
        kinds = {field.name.lower(): field.dataType for field in spark.table(table).schema}
        keys = {
            name: kinds[name.lower()].simpleString()
            for name in spec.replace_using
            if name.lower() in kinds
        }
    spark.sql(replacing_merge(table, view, names, spec, keys)).collect()


def replacing_merge(
    table: str, view: str, columns: list[str], spec: WriteSpec, keys: Mapping[str, str]
) -> str:
    """A MERGE that takes away the rows that match a new one, and adds the new ones, all of them.

    Each new row comes twice: once to take away, once to be added; to take away, one for each of the
    `keys`, which are names with types, if there are any.
    """
    old, new = spec.target_alias or OLD, spec.source_alias or NEW
    if spec.replace_on is None:
        pairs = (f"{old}.{quoted(c)} = {new}.{quoted(c)}" for c in spec.replace_using)
        condition = " AND ".join(pairs)
    else:
        condition = spec.replace_on
    names = ", ".join(map(quoted, columns))
    values = ", ".join(f"{quoted(new)}.{quoted(name)}" for name in columns)
    evolution = "WITH SCHEMA EVOLUTION " if spec.merge_schema else ""
    return (
        f"MERGE {evolution}INTO {table} AS {quoted(old)}\n"
        f"USING ({_twice(view, names, keys)}) AS {quoted(new)}\n"
        f"ON NOT {quoted(new)}.{FLAG} AND ({condition}\n)\n"
        "WHEN MATCHED THEN DELETE\n"
        f"WHEN NOT MATCHED AND {quoted(new)}.{FLAG} THEN INSERT ({names}) VALUES ({values})"
    )


def _twice(view: str, names: str, keys: Mapping[str, str]) -> str:
    """From one evaluation of the view, which need not give the same rows again."""
    if not keys:
        return f"SELECT {names}, explode(array(true, false)) AS {FLAG} FROM {view}"
    by = ", ".join(f"CAST({quoted(name)} AS {kind})" for name, kind in keys.items())
    numbered = f"SELECT *, row_number() OVER (PARTITION BY {by} ORDER BY {by}) AS {NTH} FROM {view}"
    flags = f"IF({NTH} = 1, array(true, false), array(true))"
    return f"SELECT {names}, explode({flags}) AS {FLAG} FROM ({numbered})"
