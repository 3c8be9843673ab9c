"""Rows that are kept: on executors, which may take them along, and in a checkpoint directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import freed, kept
from dbt.adapters.deltaspark.engine.merge import source

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pyspark.sql import Column, DataFrame, SparkSession


@pytest.fixture
def directory(spark: SparkSession, tmp_path: Path) -> Iterator[Path]:
    context = spark.sparkContext
    context.setCheckpointDir(str(tmp_path))
    yield tmp_path
    context._jsc.sc().setCheckpointDir(None)  # Spark has no public way back
    assert context.getCheckpointDir() is None


def checkpoints(directory: Path) -> list[str]:
    return [path.name for path in directory.glob("*/*")]


def test_rows_are_evaluated_once_and_their_files_go_when_freed(
    spark: SparkSession, directory: Path
) -> None:
    drawn = spark.range(100).select("id", F.rand().alias("drawn"))
    rows, measures = kept(drawn, F.count("*").alias("rows"), F.sum("drawn").alias("sum"))
    assert len(checkpoints(directory)) == 1
    assert rows.agg(F.count("*"), F.sum("drawn")).collect()[0] == pytest.approx(
        (measures["rows"], measures["sum"])
    )
    freed(rows)
    assert checkpoints(directory) == []


def test_a_merge_leaves_the_directory_empty(spark: SparkSession, directory: Path) -> None:
    spark.sql("CREATE OR REPLACE TABLE merged USING delta AS SELECT id, 'old' AS v FROM range(10)")
    merge = (
        "MERGE INTO merged t USING (SELECT id + 5 AS id, 'new' AS v FROM range(10)) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT (id, v)"
    )
    with pytest.raises((PySparkException, Py4JError), match="broken"):
        engine.merge_into(spark, f"{merge} VALUES (s.id, raise_error('broken'))")
    result = engine.merge_into(spark, f"{merge} VALUES (s.id, s.v)")
    assert (result.metrics.updated, spark.table("merged").count()) == (5, 15)
    assert checkpoints(directory) == []


@pytest.mark.parametrize("lost", [1, 3, 4])
def test_rows_that_are_lost_are_kept_in_more_copies(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, lost: int
) -> None:
    """As by executors that go: three times a merge starts over."""
    spark.sql("CREATE OR REPLACE TABLE merged USING delta AS SELECT id, 'old' AS v FROM range(10)")
    keeps = Keeps(spark, lost)
    monkeypatch.setattr(source, "kept", keeps)
    merge = (
        "MERGE INTO merged t USING (SELECT id + 5 AS id, 'new' AS v FROM range(10)) s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    )
    if lost == 4:
        with pytest.raises((PySparkException, Py4JError), match="Checkpoint block"):
            engine.merge_into(spark, merge)
    else:
        assert engine.merge_into(spark, merge).metrics.updated == 5
    assert spark.table("merged").count() == (10 if lost == 4 else 15)
    assert keeps.copies == [1, 2, 3, 3][: lost + 1]


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
