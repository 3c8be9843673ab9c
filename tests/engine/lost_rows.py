"""Rows that a change keeps on executors, and that go at once, as with an executor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbt.adapters.deltaspark.engine.delta import kept

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame, SparkSession


class Keeps:
    """`kept`, whose first results go at once; and in how many copies each was kept."""

    def __init__(self, spark: SparkSession, lost: int) -> None:
        self.spark, self.lost, self.copies = spark, lost, list[int]()

    def __call__(self, frame: DataFrame, *measures: Column) -> tuple[DataFrame, Mapping[str, Any]]:
        others = set(self._rdds())
        rows, found = kept(frame, *measures)
        mine = [rdd for number, rdd in self._rdds().items() if number not in others]
        self.copies += [rdd.getStorageLevel().replication() for rdd in mine]
        if len(self.copies) <= self.lost:
            for rdd in mine:
                rdd.unpersist(True)
        return rows, found

    def _rdds(self) -> dict[int, Any]:
        persistent = self.spark.sparkContext._jsc.getPersistentRDDs()
        return {number: rdd.rdd() for number, rdd in persistent.items()}
