"""Rows that lie in a checkpoint directory, where Spark has one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import freed, kept

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
