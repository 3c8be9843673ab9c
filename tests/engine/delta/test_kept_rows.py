"""Rows that are kept: on executors, which may take them along, and in a checkpoint directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from lost_rows import Keeps
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import freed, kept
from dbt.adapters.deltaspark.engine.merge import source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession


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


MERGE = (
    "MERGE INTO merged t USING (SELECT id + 5 AS id, 'new' AS v FROM range(10)) s"
    " ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)


@pytest.fixture
def merged(spark: SparkSession) -> None:
    spark.sql("CREATE OR REPLACE TABLE merged USING delta AS SELECT id, 'old' AS v FROM range(10)")


@pytest.mark.usefixtures("merged")
@pytest.mark.parametrize(("lost", "copies"), [(1, [1, 2]), (3, [1, 2, 3, 3])])
def test_a_merge_whose_rows_are_lost_keeps_them_in_more_copies(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, lost: int, copies: list[int]
) -> None:
    keeps = Keeps(spark, lost)
    monkeypatch.setattr(source, "kept", keeps)
    assert engine.merge_into(spark, MERGE).metrics.updated == 5
    assert spark.table("merged").count() == 15
    assert keeps.copies == copies


@pytest.mark.usefixtures("merged")
def test_after_four_losses_the_table_is_as_it_was(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps = Keeps(spark, 4)
    monkeypatch.setattr(source, "kept", keeps)
    with pytest.raises((PySparkException, Py4JError), match="Checkpoint block"):
        engine.merge_into(spark, MERGE)
    assert spark.table("merged").count() == 10
    assert len(keeps.copies) == 4


@pytest.mark.usefixtures("merged")
def test_what_a_merge_would_do_is_counted_again(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeps = Keeps(spark, 1)
    monkeypatch.setattr(source, "kept", keeps)
    rows = spark.range(5, 15).selectExpr("id", "'new' AS v")
    target = engine.DeltaTarget.for_name(spark, "merged")
    merge = target.merge(rows, "t.id = s.id", source_alias="s", target_alias="t")
    assert merge.when_matched_update_all().plan().prediction is not None
    assert keeps.copies == [1, 2]
