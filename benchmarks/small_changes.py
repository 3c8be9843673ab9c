"""What a run does to a small table: made, replaced, merged into, or not changed at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from changes import SOURCE_VIEW, Operation, delete
from engines import upsert

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

COLUMNS = ("grp", "amount", "s1", "ts", "name")
IS_OTHER = f"AND NOT ({' AND '.join(f't.{column} <=> s.{column}' for column in COLUMNS)})"
HUNDRED = f"(SELECT * FROM {SOURCE_VIEW} WHERE id < 100)"
NONE = f"(SELECT * FROM {SOURCE_VIEW} WHERE id < 0)"
VECTORS = "delta.enableDeletionVectors"


def _unchanged(rows: DataFrame) -> DataFrame:
    return rows


def _merge_of_nothing(name: str, what: str, source: str, only: str = "") -> Operation:
    return Operation(
        name,
        what,
        lambda spark, table: engine.merge_into(spark, upsert(table, source, only)),
        lambda spark, table: spark.sql(upsert(table, source, only)),
        None,
        _unchanged,
        1 / 0.3,
    )


def _made(verb: str, mode: Literal["error", "overwrite"], mark: float) -> Operation:
    def ours(spark: SparkSession, table: Path) -> object:
        target, rows = engine.DeltaTarget.for_path(spark, str(table)), spark.table(SOURCE_VIEW)
        return engine.write(rows, target, mode, overwrite_schema=True, properties={VECTORS: "true"})

    def delta(spark: SparkSession, table: Path) -> object:
        return spark.sql(
            f"{verb} TABLE delta.`{table}` USING delta TBLPROPERTIES ('{VECTORS}' = 'true')"
            f" AS SELECT * FROM {SOURCE_VIEW}"
        )

    what = "1,000 rows from another table"
    return Operation(
        verb.lower(), what, ours, delta, None, _unchanged, mark, makes_the_table=mode == "error"
    )


def _append() -> Operation:
    def new(rows: DataFrame) -> DataFrame:
        return rows.filter("id < 100").selectExpr("id + 1000000 AS id", *COLUMNS)

    def ours(spark: SparkSession, table: Path) -> object:
        target = engine.DeltaTarget.for_path(spark, str(table))
        return engine.write(new(spark.table(SOURCE_VIEW)), target, "append")

    def delta(spark: SparkSession, table: Path) -> object:
        new(spark.table(SOURCE_VIEW)).write.format("delta").mode("append").save(str(table))
        return None

    def result(rows: DataFrame) -> DataFrame:
        return rows.unionByName(new(rows))

    return Operation("append", "100 rows", ours, delta, None, result, 1)


SMALL_OPERATIONS = (
    _merge_of_nothing("empty source", "a merge of no rows", NONE),
    _merge_of_nothing("nothing changed", "a merge of 100 rows as they are", HUNDRED, IS_OTHER),
    _append(),
    _made("CREATE", "error", 1 / 0.7),
    _made("CREATE OR REPLACE", "overwrite", 1),
    delete("delete", "10 rows, in every file", "id % 100 = 3", 1),
)
