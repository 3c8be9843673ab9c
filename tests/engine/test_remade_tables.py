"""A table that is dropped, and made again in its place, while we write to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.errors import AnalysisException
from sorted_rows import rows_of

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

    Change = Callable[[SparkSession, str], engine.MergeResult]
    Arrange = Callable[[Callable[[], object]], None]


def made(spark: SparkSession, path: Path, row: str, more_versions: int) -> str:
    table = f"delta.`{path}`"
    spark.sql(f"CREATE TABLE {table} (id INT, v STRING) USING delta")
    spark.sql(f"INSERT INTO {table} VALUES {row}")
    for number in range(more_versions):
        spark.sql(f"ALTER TABLE {table} SET TBLPROPERTIES ('more' = '{number}')")
    return table


def appended(spark: SparkSession, table: str) -> engine.MergeResult:
    target = engine.DeltaTarget.for_name(spark, table)
    return engine.write(spark.sql("SELECT 9 AS id, 'ours' AS v"), target)


def merged(spark: SparkSession, table: str) -> engine.MergeResult:
    return engine.merge_into(
        spark,
        f"MERGE INTO {table} t USING (SELECT 9 AS id, 'ours' AS v) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    )


@pytest.mark.parametrize(
    ("change", "old_versions", "new_versions"),
    [(appended, 3, 0), (merged, 11, 2), (merged, 0, 0)],
    ids=["append, fewer", "merge, fewer than a checkpoint", "merge, as many"],
)
def test_a_change_is_made_again_on_the_table_that_was_made_in_its_place(
    small: SparkSession,
    tmp_path: Path,
    before_our_commit: Arrange,
    change: Change,
    old_versions: int,
    new_versions: int,
) -> None:
    path = tmp_path / "target"
    table = made(small, path, "(1, 'old')", old_versions)

    def rival() -> None:
        path.rename(tmp_path / "dropped")
        made(small.newSession(), path, "(2, 'new')", new_versions)

    before_our_commit(rival)
    result = change(small, table)
    assert (result.version, result.retries) == (new_versions + 2, 1)
    assert rows_of(small.newSession(), table) == [(2, "new"), (9, "ours")]


def test_a_change_leaves_nothing_where_a_table_was_dropped_meanwhile(
    small: SparkSession, tmp_path: Path, before_our_commit: Arrange
) -> None:
    path = tmp_path / "target"
    table = made(small, path, "(1, 'old')", 0)
    before_our_commit(lambda: path.rename(tmp_path / "dropped"))
    with pytest.raises(AnalysisException, match="is not a Delta table"):
        appended(small, table)
    assert not path.exists()
