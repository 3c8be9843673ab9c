"""Deletes, updates and replacements that are timed, by our engine and by Delta's own commands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import Column, DataFrame, SparkSession

SCATTERED = "grp >= 10 AND grp < 20"
ONE_DAY = "ts >= TIMESTAMP'2021-01-01 00:00:00' AND ts < TIMESTAMP'2021-01-02 00:00:00'"
NEW_VALUES = {"amount": "amount + 1", "name": "'upd'"}

Run = Callable[["SparkSession", "Path"], object]


@dataclass(frozen=True, slots=True)
class Operation:
    """One change: by our engine, by Delta's, and what it makes of the rows.

    `floor` does only what no engine on Spark can do without: it opens the table, finds the chosen
    rows, and where there are new rows writes them. It commits nothing. Some have none.
    """

    name: str
    what: str
    ours: Run
    delta: Run
    floor: Run | None
    result: Callable[[DataFrame], DataFrame]
    mark: float
    """How many times as long Delta's must take."""
    makes_the_table: bool = False


def _target(spark: SparkSession, table: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(spark, str(table))


def _read(spark: SparkSession, table: Path) -> DataFrame:
    return spark.read.format("delta").load(str(table))


def _write_beside(rows: DataFrame, table: Path) -> None:
    rows.write.parquet(str(table / "_new_rows"))


def _new_values() -> dict[str, Column]:
    return {column: F.expr(value) for column, value in NEW_VALUES.items()}


def delete(name: str, what: str, condition: str, mark: float) -> Operation:
    return Operation(
        name,
        what,
        lambda spark, table: _target(spark, table).delete(condition),
        lambda spark, table: spark.sql(f"DELETE FROM delta.`{table}` WHERE {condition}"),
        lambda spark, table: _read(spark, table).filter(condition).count(),
        lambda rows: rows.filter(f"NOT ({condition})"),
        mark,
    )


def _update(name: str, what: str, condition: str, mark: float) -> Operation:
    def floor(spark: SparkSession, table: Path) -> None:
        chosen = _read(spark, table).filter(condition)
        _write_beside(chosen.withColumns(_new_values()), table)

    pairs = ", ".join(f"{column} = {value}" for column, value in NEW_VALUES.items())
    return Operation(
        name,
        what,
        lambda spark, table: _target(spark, table).update(NEW_VALUES, condition),
        lambda spark, table: spark.sql(f"UPDATE delta.`{table}` SET {pairs} WHERE {condition}"),
        floor,
        lambda rows: rows.withColumns(
            {
                column: F.when(F.expr(condition), F.expr(value)).otherwise(F.col(column))
                for column, value in NEW_VALUES.items()
            }
        ),
        mark,
    )


def _replace(name: str, what: str, condition: str, mark: float) -> Operation:
    def new(rows: DataFrame) -> DataFrame:
        return rows.filter(condition).withColumns(_new_values())

    def source(spark: SparkSession) -> DataFrame:
        return new(spark.table(SOURCE_VIEW))

    def ours(spark: SparkSession, table: Path) -> object:
        target = _target(spark, table)
        return engine.write(source(spark), target, "overwrite", replace_where=condition)

    def delta(spark: SparkSession, table: Path) -> object:
        writer = source(spark).write.format("delta").mode("overwrite")
        writer.option("replaceWhere", condition).save(str(table))
        return None

    def floor(spark: SparkSession, table: Path) -> None:
        _read(spark, table).limit(1).count()
        _write_beside(source(spark), table)

    return Operation(
        name,
        what,
        ours,
        delta,
        floor,
        lambda rows: rows.filter(f"NOT ({condition})").unionByName(new(rows)),
        mark,
    )


SOURCE_VIEW = "untouched"
"""The table as it was, from which the new rows of a replacement come."""

OPERATIONS = (
    delete("delete 1 %", "1 % of the rows, in every file", SCATTERED, 1.5),
    delete("delete a day", "one day of a table that is laid out by time", ONE_DAY, 1),
    _update("update 1 %", "1 % of the rows, in every file", SCATTERED, 1.5),
    _update("update a day", "one day of a table that is laid out by time", ONE_DAY, 1),
    _replace("replace a day", "replace_where of one day", ONE_DAY, 1),
)
