"""A small table with history that the tests of strategy scd2 load into, and its settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from dbt.adapters.deltaspark import engine, scd2

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

EVERY_ROW = scd2.Scd2(unique_key=("id",), updated_at="changed", check_columns=None)
CHECKED = replace(EVERY_ROW, check_columns=("v",))
COMPLETE = replace(EVERY_ROW, invalidate_missing=True)
UNTIMED = replace(CHECKED, updated_at=None, invalidate_missing=True)


@dataclass(frozen=True)
class History:
    """A table with history, on disk; rows are written (id, v, day)."""

    spark: SparkSession
    path: Path

    @property
    def target(self) -> engine.DeltaTarget:
        return engine.DeltaTarget.for_path(self.spark, str(self.path))

    def source(self, rows: str) -> DataFrame:
        changed = "CAST(make_date(2026, 1, day) AS TIMESTAMP) AS changed"
        texts = rows or "(0, '', 1)"
        frame = self.spark.sql(f"SELECT id, v, {changed} FROM VALUES {texts} AS t(id, v, day)")
        return frame if rows else frame.limit(0)

    def begin(self, rows: str, settings: scd2.Scd2, day: int = 1) -> None:
        source = self.source(rows) if settings.updated_at else self.source(rows).drop("changed")
        with scd2.first_load(source, settings, datetime(2026, 1, day)) as first:
            save(first, self.path)

    def load(self, rows: str, settings: scd2.Scd2, day: int = 1) -> engine.MergeResult:
        source = self.source(rows) if settings.updated_at else self.source(rows).drop("changed")
        return scd2.load(source, self.target, settings, datetime(2026, 1, day))

    def rows(self) -> list[tuple[Any, ...]]:
        """(id, v, first day, day after the last, is_current)."""
        days = "day(valid_from) AS start, day(valid_to), is_current"
        query = f"SELECT id, v, {days} FROM {self.target.name} ORDER BY id, start"
        return [tuple(row) for row in self.spark.sql(query).collect()]


def save(frame: DataFrame, path: Path) -> None:
    frame.write.format("delta").save(str(path))
