"""Partitions by a CHAR column: their files keep 'a', and their rows read 'a' with two blanks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

pytestmark = pytest.mark.share(4)
CHOSEN = ("c = 'a'", "c IN ('a', 'x')", "c = 'a' AND id < 9", "c = 'a' OR id > 9", "c < 'b'")


@pytest.fixture(params=[True, False], ids=["vectors", "no_vectors"])
def target(
    small: SparkSession, tmp_path: Path, request: pytest.FixtureRequest
) -> engine.DeltaTarget:
    vectors = str(request.param).lower()
    small.sql(
        f"CREATE TABLE delta.`{tmp_path}` (id INT, c CHAR(3)) USING delta PARTITIONED BY (c)"
        f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{vectors}')"
    )
    small.sql(f"INSERT INTO delta.`{tmp_path}` VALUES (1, 'a'), (2, 'b'), (3, NULL)")
    return engine.DeltaTarget.for_path(small, str(tmp_path))


def rows_of(spark: SparkSession, path: Path) -> list[tuple[int, str | None]]:
    found = spark.sql(f"SELECT id, rtrim(c) FROM delta.`{path}` ORDER BY id").collect()
    return [tuple(row) for row in found]


@pytest.mark.parametrize("where", CHOSEN)
def test_a_delete_finds_what_a_select_finds(
    small: SparkSession, tmp_path: Path, target: engine.DeltaTarget, where: str
) -> None:
    assert target.delete(where).metrics.deleted == 1
    assert rows_of(small, tmp_path) == [(2, "b"), (3, None)]


def test_an_update_finds_them(
    small: SparkSession, tmp_path: Path, target: engine.DeltaTarget
) -> None:
    assert target.update({"id": "id + 10"}, "c = 'a'").metrics.updated == 1
    assert rows_of(small, tmp_path) == [(2, "b"), (3, None), (11, "a")]


def test_new_rows_replace_them(
    small: SparkSession, tmp_path: Path, target: engine.DeltaTarget
) -> None:
    source = small.sql("SELECT 7 AS id, 'a' AS c")
    engine.write(source, target, "overwrite", replace_where="c = 'a'")
    assert rows_of(small, tmp_path) == [(2, "b"), (3, None), (7, "a")]


def test_a_row_that_another_writer_brings_is_found(
    small: SparkSession,
    tmp_path: Path,
    target: engine.DeltaTarget,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(
        f"INSERT INTO delta.`{tmp_path}` SELECT 8, 'a' FROM delta.`{tmp_path}` LIMIT 1"
    )
    target.delete("c = 'a'")
    assert rows_of(small, tmp_path) == [(2, "b"), (3, None)]
