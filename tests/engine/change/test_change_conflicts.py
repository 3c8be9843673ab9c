"""A commit that lands between the reads of a delete, an update or a write and its own commit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from commits import latest_version
from sessions import forget_tables

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom

pytestmark = pytest.mark.share(4)
"""A table with vectors, or one without."""

NEW = [(2, "new")]


@pytest.fixture(params=[True, False], ids=["vectors", "no_vectors"])
def path(request: pytest.FixtureRequest, table_from: TableFrom, tmp_path: Path) -> Path:
    return table_from.two_rows(tmp_path / "target", vectors=request.param)


@pytest.fixture
def target(small: SparkSession, path: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(small, str(path))


def rows_of(small: SparkSession, path: Path) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in small.read.format("delta").load(str(path)).collect())


def test_a_delete_takes_a_row_that_another_writer_brought(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'z'), (8, 'b')")
    result = target.delete("v = 'b'")
    assert (result.retries, result.metrics.deleted) == (1, 2)
    assert rows_of(small, path) == [(1, "a"), (7, "z")]


def test_an_update_sees_what_another_writer_made_of_the_row(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(f"UPDATE delta.`{path}` SET v = 'rival' WHERE id = 2")
    result = target.update({"v": "concat(v, '!')"}, "id = 2")
    assert result.retries == 1
    assert rows_of(small, path) == [(1, "a"), (2, "rival!")]


def test_an_overwrite_replaces_what_another_writer_brought(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'z')")
    result = engine.write(small.sql("SELECT 5 AS id, 'new' AS v"), target, "overwrite")
    assert result.retries == 1
    assert rows_of(small, path) == [(5, "new")]


def test_rows_that_match_another_writer_s_are_replaced(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (2, 'rival')")
    rows = small.sql("SELECT 2 AS id, 'new' AS v")
    result = engine.write(rows, target, "overwrite", replace_using=["id"])
    assert (result.retries, result.metrics.deleted) == (1, 2)
    assert rows_of(small, path) == [(1, "a"), (2, "new")]


def test_an_append_goes_beside_another_writer_s(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'z')")
    result = engine.write(small.sql("SELECT 5 AS id, 'new' AS v"), target)
    assert result.retries == 0
    assert rows_of(small, path) == [(1, "a"), (2, "b"), (5, "new"), (7, "z")]


def test_a_column_that_another_writer_added_is_there_after_the_replay(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(f"ALTER TABLE delta.`{path}` ADD COLUMNS (w INT)")
    result = engine.write(small.sql("SELECT 5 AS id, 'new' AS v"), target)
    assert result.retries == 1
    assert (5, "new", None) in rows_of(small, path)


def test_without_replays_the_conflict_is_raised_and_says_who_won(
    target: engine.DeltaTarget, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"UPDATE delta.`{path}` SET v = 'rival' WHERE id = 2")
    with pytest.raises(Exception, match="DELTA_CONCURRENT") as raised:
        target.delete("id = 2", conflict_retries=0)
    assert "was tried 1 times (conflict_retries: 0)" in "\n".join(raised.value.__notes__)
    assert latest_version(path) == 2


@pytest.mark.parametrize(
    ("change", "left"),
    [
        (
            lambda target, rows: engine.write(
                rows, target, "overwrite", replace_where="id >= 2 AND id < 5", conflict_retries=0
            ),
            NEW,
        ),
        (
            lambda target, rows: engine.write(
                rows, target, "overwrite", replace_using=["id"], conflict_retries=0
            ),
            NEW,
        ),
        (lambda target, _: target.delete("id = 2", conflict_retries=0), []),
        (lambda target, _: target.update({"v": "'new'"}, "id = 2", conflict_retries=0), NEW),
        (
            lambda target, rows: (
                target.merge(rows, "t.id = s.id", source_alias="s", target_alias="t")
                .when_matched_update_all()
                .execute(conflict_retries=0)
            ),
            NEW,
        ),
    ],
    ids=["replace_where", "replace_using", "delete", "update", "merge"],
)
def test_files_that_could_not_hold_a_row_to_change_are_no_conflict(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[str], None],
    change: Callable[[engine.DeltaTarget, Any], engine.MergeResult],
    left: list[tuple[Any, ...]],
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'z')")
    result = change(target, small.sql("SELECT 2 AS id, 'new' AS v"))
    assert (result.retries, result.version) == (0, 3)
    assert rows_of(small, path) == [(1, "a"), *left, (7, "z")]


def test_nor_are_they_where_the_other_writer_leaves_no_checksum(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before_our_commit: Callable[[Callable[[], object]], None],
) -> None:
    def rival() -> None:
        small.newSession().sql(f"INSERT INTO delta.`{path}` VALUES (7, 'z')")
        for checksum in (path / "_delta_log").glob("*.crc"):
            checksum.unlink()
        forget_tables(small)

    before_our_commit(rival)
    result = target.delete("id = 2", conflict_retries=0)
    assert (result.retries, result.version) == (0, 3)
    assert rows_of(small, path) == [(1, "a"), (7, "z")]
