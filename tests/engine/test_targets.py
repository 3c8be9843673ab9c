"""Tables and views as targets, beyond what a golden case can say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession

UPSERT = """MERGE INTO {target} t USING (SELECT * FROM VALUES (1, 11), (9, 99) AS v(i, w)) s
    ON t.id = s.i WHEN MATCHED THEN UPDATE SET v = s.w
    WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.i, s.w)"""
BEFORE = [(1, 10), (2, 20)]
AFTER = [(1, 11), (2, 20), (9, 99)]


@pytest.fixture(params=[True, False], ids=["vectors", "no_vectors"])
def path(request: pytest.FixtureRequest, small: SparkSession, tmp_path: Path) -> Path:
    path = tmp_path / "a b%20=ü#(~"
    create(small, f"delta.`{path}`", vectors=request.param)
    return path


def create(small: SparkSession, name: str, *, vectors: bool) -> None:
    small.sql(
        f"CREATE TABLE {name} (id INT, v INT) USING delta"
        f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{str(vectors).lower()}')"
    )
    small.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES (1, 10), (2, 20)")


def rows_of(small: SparkSession, path: Path) -> Sequence[tuple[object, ...]]:
    return sorted(tuple(row) for row in small.read.format("delta").load(str(path)).collect())


@pytest.mark.parametrize("query", ["SELECT * FROM {table}", "SELECT v, id AS id FROM {table}"])
def test_a_view_over_the_whole_table_is_the_table(
    small: SparkSession, path: Path, query: str
) -> None:
    small.sql(f"CREATE OR REPLACE TEMP VIEW target AS {query.format(table=f'delta.`{path}`')}")
    engine.merge_into(small, UPSERT.format(target="target"))
    assert rows_of(small, path) == AFTER


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("SELECT v AS id, id AS v FROM {table}", "renames or computes id"),
        ("SELECT id, v + 1 AS v FROM {table}", "renames or computes v"),
        ("SELECT id, v FROM {table} WHERE v > 10", "DELTA_UNEXPECTED_PARTIAL_SCAN"),
    ],
)
def test_a_view_that_shows_another_table_is_refused(
    small: SparkSession, path: Path, query: str, error: str
) -> None:
    small.sql(f"CREATE OR REPLACE TEMP VIEW target AS {query.format(table=f'delta.`{path}`')}")
    with pytest.raises(Exception, match=error):
        engine.merge_into(small, UPSERT.format(target="target"))
    assert rows_of(small, path) == BEFORE


def test_a_view_over_some_of_the_columns_is_refused(small: SparkSession, path: Path) -> None:
    small.sql(f"CREATE OR REPLACE TEMP VIEW target AS SELECT id FROM delta.`{path}`")
    delete = "MERGE INTO target t USING (SELECT 1 AS i) s ON t.id = s.i WHEN MATCHED THEN DELETE"
    with pytest.raises(Exception, match="DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS"):
        engine.merge_into(small, delete)
    assert rows_of(small, path) == BEFORE


@pytest.fixture
def without_statistics(small: SparkSession) -> Iterator[None]:
    small.conf.set("spark.databricks.delta.stats.collect", "false")
    yield
    small.conf.unset("spark.databricks.delta.stats.collect")


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "no_vectors"])
@pytest.mark.usefixtures("without_statistics")
def test_files_without_statistics_are_merged_and_counted(
    small: SparkSession, tmp_path: Path, vectors: bool
) -> None:
    path = tmp_path / "target"
    create(small, f"delta.`{path}`", vectors=vectors)
    result = engine.merge_into(small, UPSERT.format(target=f"delta.`{path}`"))
    assert rows_of(small, path) == AFTER
    assert (result.metrics.updated, result.metrics.inserted) == (1, 1)
    assert result.metrics.get("numTargetRowsCopied") == (0 if vectors else 1)


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "no_vectors"])
def test_a_cached_table_is_read_anew(small: SparkSession, vectors: bool) -> None:
    create(small, "cached_target", vectors=vectors)
    try:
        small.table("cached_target").cache().count()
        engine.merge_into(small, UPSERT.format(target="cached_target"))
        assert sorted(map(tuple, small.table("cached_target").collect())) == AFTER
    finally:
        small.sql("DROP TABLE cached_target")


@pytest.mark.share(2)
def test_a_table_that_is_compacted_and_checkpointed_after_commits(
    small: SparkSession, path: Path
) -> None:
    name = f"delta.`{path}`"
    small.sql(f"ALTER TABLE {name} SET TBLPROPERTIES ('delta.autoOptimize.autoCompact' = 'true')")
    for key in range(9, 19):
        engine.merge_into(small, UPSERT.format(target=name).replace("9, 99", f"{key}, 99"))
    assert len(rows_of(small, path)) == 12
    assert list((path / "_delta_log").glob("*.checkpoint.parquet"))
