"""A commit that is in the log and was told as an error: its rows are there, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from broken_steps import BEFORE, Tables, rows_of
from commits import latest_version
from lost_answers import forgetful_log, lose_the_answer
from sessions import for_small_tables, forget_tables

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

UPSERT = """MERGE INTO delta.`{path}` t USING (SELECT * FROM VALUES (2, 20), (7, 70) AS v(id, n)) s
    ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"""


def appended(session: SparkSession, path: Path) -> engine.MergeResult:
    target = engine.DeltaTarget.for_path(session, str(path))
    return engine.write(session.sql("SELECT 7 AS id, 70 AS n"), target)


def merged(session: SparkSession, path: Path) -> engine.MergeResult:
    return engine.merge_into(session, UPSERT.format(path=path))


AFTER_APPEND = [*BEFORE, (7, 70)]
AFTER_MERGE = [(1, 1), (2, 20), (3, 3), (7, 70)]


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    session = for_small_tables(spark)
    with forgetful_log(session):
        yield session
    forget_tables(session)


@pytest.fixture(scope="module")
def tables(session: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(session, tmp_path_factory.mktemp("tables"), "id INT, n INT")


@pytest.mark.parametrize(
    ("change", "after", "error"),
    [
        (appended, AFTER_APPEND, ""),
        (appended, AFTER_APPEND, "Read timed out"),
        (merged, AFTER_MERGE, ""),
    ],
    ids=["append, sent twice", "append, timed out", "merge, sent twice"],
)
def test_a_commit_whose_answer_is_lost_is_made_once(
    session: SparkSession,
    tables: Tables,
    tmp_path: Path,
    change: Callable[[SparkSession, Path], engine.MergeResult],
    after: list[tuple[int, int]],
    error: str,
) -> None:
    path = tables.copied(tmp_path, vectors=True)
    version = latest_version(path)
    lose_the_answer(path, error)
    assert change(session, path).version == version + 1
    assert (latest_version(path), rows_of(session, path)) == (version + 1, after)


def test_a_commit_on_top_of_another_one_whose_answer_is_lost_is_made_once(
    session: SparkSession,
    tables: Tables,
    tmp_path: Path,
    before_our_commit: Callable[[Callable[[], object]], None],
) -> None:
    path = tables.copied(tmp_path, vectors=True)
    version = latest_version(path)

    def rival() -> None:
        session.sql(f"INSERT INTO delta.`{path}` VALUES (9, 9)")
        lose_the_answer(path)

    before_our_commit(rival)
    assert merged(session, path).version == version + 2
    assert rows_of(session, path) == [*AFTER_MERGE, (9, 9)]
