"""Merges that run at the same time end as if they had run one after the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TYPE_CHECKING

import pytest
from commits import latest_version
from sessions import for_small_tables
from sorted_rows import rows_of

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

UPSERT = (
    "MERGE INTO {target} t USING (SELECT * FROM VALUES {rows} AS v(id, n, w)) s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET n = t.n + s.n, w = concat(t.w, s.w)"
    " WHEN NOT MATCHED THEN INSERT *"
)
INSERT_ONLY = (
    "MERGE INTO {target} t USING (SELECT * FROM VALUES {rows} AS v(id, n, w)) s ON t.id = s.id"
    " WHEN NOT MATCHED THEN INSERT *"
)


def table(spark: SparkSession, path: Path, rows: str, *, vectors: bool, by: str = "") -> str:
    name = f"delta.`{path}`"
    spark.sql(
        f"CREATE TABLE {name} (id INT, n INT, w STRING) USING delta {by}"
        f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{str(vectors).lower()}')"
    )
    spark.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}")
    return name


def merging(text: str, target: str, rows: str) -> Callable[[SparkSession], engine.MergeResult]:
    statement = text.format(target=target, rows=rows)
    return lambda spark: engine.merge_into(spark, statement, conflict_retries=20)


def at_once(spark: SparkSession, *work: Callable[[SparkSession], object]) -> list[object]:
    """Each piece of work in a thread and a session of its own, started together."""
    start = Barrier(len(work))

    def run(piece: Callable[[SparkSession], object]) -> object:
        session = for_small_tables(spark)
        start.wait()
        return piece(session)

    with ThreadPoolExecutor(len(work)) as pool:
        return list(pool.map(run, work))


@pytest.mark.share(2)
@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "no_vectors"])
def test_upserts_of_the_same_keys_all_count(
    small: SparkSession, tmp_path: Path, vectors: bool
) -> None:
    target = table(small, tmp_path / "t", "(1, 0, ''), (2, 0, '')", vectors=vectors)
    at_once(
        small,
        merging(UPSERT, target, "(1, 1, 'a'), (3, 1, 'a')"),
        merging(UPSERT, target, "(1, 10, 'b'), (3, 10, 'b')"),
        merging(UPSERT, target, "(1, 100, 'c'), (2, 100, 'c')"),
    )
    first, second, third = rows_of(small, target)
    assert first[:2] == (1, 111)
    assert sorted(str(first[2])) == ["a", "b", "c"]
    assert second == (2, 100, "c")
    assert third in [(3, 11, "ab"), (3, 11, "ba")]


@pytest.mark.share(2)
@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "no_vectors"])
def test_upserts_of_different_keys_all_land(
    small: SparkSession, tmp_path: Path, vectors: bool
) -> None:
    target = table(small, tmp_path / "t", "(1, 0, ''), (2, 0, '')", vectors=vectors)
    at_once(
        small,
        merging(UPSERT, target, "(1, 1, 'a'), (11, 1, 'a')"),
        merging(UPSERT, target, "(2, 2, 'b'), (12, 2, 'b')"),
    )
    assert rows_of(small, target) == [(1, 1, "a"), (2, 2, "b"), (11, 1, "a"), (12, 2, "b")]


def test_upserts_of_different_partitions_never_conflict(
    small: SparkSession, tmp_path: Path
) -> None:
    by = "PARTITIONED BY (w)"
    target = table(small, tmp_path / "t", "(1, 0, 'a'), (2, 0, 'b')", vectors=True, by=by)
    text = (
        "MERGE INTO {target} t USING (SELECT * FROM VALUES {rows} AS v(id, n, w)) s"
        " ON t.id = s.id AND t.w = s.w"
        " WHEN MATCHED THEN UPDATE SET n = t.n + s.n WHEN NOT MATCHED THEN INSERT *"
    )
    results = at_once(
        small,
        merging(text, target, "(1, 1, 'a'), (11, 1, 'a')"),
        merging(text, target, "(2, 2, 'b'), (12, 2, 'b')"),
    )
    retries = [result.retries for result in results if isinstance(result, engine.MergeResult)]
    assert retries == [0, 0]
    assert rows_of(small, target) == [(1, 1, "a"), (2, 2, "b"), (11, 1, "a"), (12, 2, "b")]


def test_insert_only_merges_of_one_new_key_leave_it_once(
    small: SparkSession, tmp_path: Path
) -> None:
    target = table(small, tmp_path / "t", "(1, 0, '')", vectors=True)
    at_once(
        small,
        merging(INSERT_ONLY, target, "(7, 1, 'a')"),
        merging(INSERT_ONLY, target, "(7, 2, 'b')"),
        merging(INSERT_ONLY, target, "(7, 3, 'c')"),
    )
    assert rows_of(small, target) in [
        [(1, 0, ""), (7, 1, "a")],
        [(1, 0, ""), (7, 2, "b")],
        [(1, 0, ""), (7, 3, "c")],
    ]
    assert latest_version(tmp_path / "t") == 2


def test_a_conflict_that_no_retry_may_replay_is_raised(small: SparkSession, tmp_path: Path) -> None:
    target = table(small, tmp_path / "t", "(1, 0, '')", vectors=True)
    rivals = [UPSERT.format(target=target, rows=f"(1, {n}, 'r')") for n in (1, 2, 3, 4)]

    def once(statement: str) -> Callable[[SparkSession], object]:
        def run(spark: SparkSession) -> object:
            try:
                return engine.merge_into(spark, statement, conflict_retries=0)
            except Exception as error:  # Delta's conflict, as it comes from the JVM
                return error

        return run

    outcomes = at_once(small, *map(once, rivals))
    won = [outcome for outcome in outcomes if isinstance(outcome, engine.MergeResult)]
    lost = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert won
    assert len(won) + len(lost) == 4
    assert all("DELTA_CONCURRENT" in str(error) for error in lost)
    assert latest_version(tmp_path / "t") == 1 + len(won)
