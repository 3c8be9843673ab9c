"""Whatever fails in the middle of a merge, the table stays as it was and the next merge works."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from broken_steps import BEFORE, BrokenStep, Tables, failing, rows_of
from commits import latest_version
from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from sessions import for_small_tables, kept_frames

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction
from dbt.adapters.deltaspark.engine.merge import (
    classic,
    deletion_vectors,
    insert_only,
    matches,
    rows,
    source,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

# The package exports a function of this name.
merge = importlib.import_module("dbt.adapters.deltaspark.engine.merge.conductor")

JVM_ERRORS = (PySparkException, Py4JJavaError)
UPSERT = """MERGE INTO delta.`{path}` t USING ({source}) s ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"""
INSERT_ONLY = """MERGE INTO delta.`{path}` t USING ({source}) s ON t.id = s.id
    WHEN NOT MATCHED THEN INSERT *"""
GOOD = "SELECT * FROM VALUES (2, 20), (7, 70) AS v(id, n)"
AFTER = [(1, 1), (2, 20), (3, 3), (7, 70)]


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    return for_small_tables(spark)


@pytest.fixture(scope="module")
def tables(session: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(session, tmp_path_factory.mktemp("tables"), "id INT NOT NULL, n INT", "n < 1000")


@pytest.fixture(params=[True, False], ids=["vectors", "no_vectors"])
def path(request: pytest.FixtureRequest, tables: Tables, tmp_path: Path) -> Path:
    return tables.copied(tmp_path, vectors=request.param)


def merged(session: SparkSession, path: Path, source: str = GOOD) -> engine.MergeResult:
    return engine.merge_into(session, UPSERT.format(path=path, source=source))


@pytest.mark.share(2)
@pytest.mark.parametrize(
    "source",
    [
        pytest.param(f"{GOOD} UNION ALL SELECT 9, 1000", id="a CHECK constraint, on the last row"),
        pytest.param(f"{GOOD} UNION ALL SELECT NULL, 9", id="a NOT NULL column, on the last row"),
        pytest.param(f"{GOOD} UNION ALL SELECT 2, 21", id="a key that comes twice"),
        pytest.param(
            "SELECT id, if(id > 90, raise_error('broken'), id) AS n FROM range(100)",
            id="an error raised by the source, late",
        ),
        pytest.param("SELECT 1 AS id, 10000000000L AS n", id="a value that does not fit"),
    ],
)
def test_a_merge_that_fails_on_its_rows_leaves_the_table_alone(
    session: SparkSession, path: Path, source: str
) -> None:
    version = latest_version(path)
    with pytest.raises((*JVM_ERRORS, engine.DuplicateMatchError)):
        merged(session, path, source)
    assert latest_version(path) == version
    assert rows_of(session, path) == BEFORE


def test_a_python_function_that_raises_in_the_source_leaves_the_table_alone(
    session: SparkSession, path: Path
) -> None:
    def broken(value: int) -> int:
        if value == 7:
            raise ValueError("broken on seven")
        return value

    session.udf.register("broken", broken, "int")
    version = latest_version(path)
    with pytest.raises(JVM_ERRORS, match="broken on seven"):
        merged(session, path, f"SELECT broken(id) AS id, n FROM ({GOOD})")
    assert latest_version(path) == version
    assert rows_of(session, path) == BEFORE


def test_a_source_file_that_vanishes_leaves_the_table_alone(
    session: SparkSession, path: Path, tmp_path: Path
) -> None:
    session.sql(GOOD).write.parquet(str(tmp_path / "source"))
    frame = session.read.parquet(str(tmp_path / "source"))
    frame.createOrReplaceTempView("vanishing")
    for file in (tmp_path / "source").glob("*.parquet"):
        file.unlink()
    version = latest_version(path)
    with pytest.raises(engine.DamagedFileError, match="/source/part-.*: it does not exist"):
        merged(session, path, "SELECT * FROM vanishing")
    assert latest_version(path) == version
    assert rows_of(session, path) == BEFORE


OF_EVERY_ROUTE = (
    (merge, "resolve"),
    (source, "_facts"),
    (merge, "prepare_merge"),
    (merge, "planned"),
    (Transaction, "read_files"),
    (Transaction, "write"),
)
OF_UPSERTS = ((matches, "_pairs"), (rows, "written_rows"))
STEPS = [
    *(("insert_only", *step) for step in (*OF_EVERY_ROUTE, (insert_only, "unmatched_rows"))),
    *(
        ("deletion_vectors", *step)
        for step in (
            *OF_EVERY_ROUTE,
            (matches, "_pairs"),
            (deletion_vectors, "source_rows"),
            (deletion_vectors, "repeated_rows"),
            (deletion_vectors, "mark_places"),
            (deletion_vectors, "mark_deleted"),
        )
    ),
    *(
        ("classic", *step)
        for step in (
            *OF_EVERY_ROUTE,
            *OF_UPSERTS,
            (classic, "touched_rows"),
            (classic, "copied_rows"),
            (Transaction, "select"),
            (Transaction, "remove"),
        )
    ),
]


OF_MANY_ROWS = ("mark_deleted",)
"""Steps that come only where the driver does not hold the pairs of the source's two rows."""


@pytest.mark.share(20)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(
    ("route", "owner", "step"), STEPS, ids=[f"{route}-{step}" for route, _, step in STEPS]
)
def test_a_step_that_fails_leaves_the_table_alone_and_the_next_merge_works(
    session: SparkSession,
    tables: Tables,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    route: str,
    owner: object,
    step: str,
    after: bool,
) -> None:
    path = tables.copied(tmp_path, vectors=route != "classic")
    text = UPSERT if route != "insert_only" else INSERT_ONLY
    version = latest_version(path)
    monkeypatch.setattr(matches, "FEW_ROWS", 1 if step in OF_MANY_ROWS else 2)
    with monkeypatch.context() as patched:
        patched.setattr(owner, step, failing(getattr(owner, step), after=after))
        with pytest.raises(BrokenStep):
            engine.merge_into(session, text.format(path=path, source=GOOD))
    assert latest_version(path) == version
    assert rows_of(session, path) == BEFORE
    result = engine.merge_into(session, text.format(path=path, source=GOOD))
    assert result.route == route
    assert rows_of(session, path) == (AFTER if route != "insert_only" else [*BEFORE, (7, 70)])


def test_a_commit_that_fails_leaves_the_table_alone_and_the_next_merge_works(
    session: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = latest_version(path)
    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "commit", failing(Transaction.commit, after=False))
        with pytest.raises(BrokenStep):
            merged(session, path)
    assert latest_version(path) == version
    assert rows_of(session, path) == BEFORE
    merged(session, path)
    assert rows_of(session, path) == AFTER


def test_a_failed_merge_keeps_nothing_in_memory(session: SparkSession, path: Path) -> None:
    before = kept_frames(session)
    with pytest.raises(engine.DuplicateMatchError):
        merged(session, path, f"{GOOD} UNION ALL SELECT 2, 21")
    assert kept_frames(session) <= before  # what other tests left may go meanwhile


def lose_rows(session: SparkSession) -> None:
    """Drop every block that a merge keeps, as a lost executor would."""
    manager = session._jvm.org.apache.spark.SparkEnv.get().blockManager().master()
    kept = session.sparkContext._jsc.sc().getRDDStorageInfo()
    for info in kept:
        if "Delta Table State" not in info.name():
            manager.removeRdd(info.id(), True)


def test_a_merge_starts_over_where_rows_of_its_source_are_lost(
    session: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_files, lost = Transaction.read_files, []

    def losing(self: Transaction, *values: Any) -> object:
        if not lost:
            lose_rows(session)
            lost.append(True)
        return read_files(self, *values)

    monkeypatch.setattr(Transaction, "read_files", losing)
    assert merged(session, path).version == latest_version(path)
    assert rows_of(session, path) == AFTER


def test_counts_are_those_of_the_attempt_that_commits(
    session: SparkSession,
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    before_our_commit: Callable[[Callable[[], object]], None],
) -> None:
    """The first would update and meets a rival; the second loses the source; the third inserts."""
    read_files, came, flag = Transaction.read_files, tmp_path / "came", tmp_path / "moved"
    session.udf.register("moved", lambda id: id + 10 if flag.exists() else id, "int")

    def rival() -> None:
        session.newSession().sql(f"DELETE FROM delta.`{path}` WHERE id = 2")
        came.touch()

    def losing(self: Transaction, *values: Any) -> object:
        if came.exists() and not flag.exists():
            flag.touch()
            lose_rows(session)
        return read_files(self, *values)

    before_our_commit(rival)
    monkeypatch.setattr(Transaction, "read_files", losing)
    result = merged(session, path, f"SELECT moved(id) AS id, n FROM ({GOOD})")
    (newest,) = session.sql(f"DESCRIBE HISTORY delta.`{path}` LIMIT 1").collect()
    told = newest["operationMetrics"]
    assert came.exists() and flag.exists()
    assert newest["version"] == result.version
    assert (result.metrics.updated, result.metrics.inserted) == (0, 2)
    assert (told["numTargetRowsUpdated"], told["numTargetRowsInserted"]) == ("0", "2")
    assert rows_of(session, path) == [(1, 1), (3, 3), (12, 20), (17, 70)]


def test_a_merge_whose_source_is_lost_again_and_again_leaves_the_table_alone(
    session: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_files = Transaction.read_files

    def losing(self: Transaction, *values: Any) -> object:
        lose_rows(session)
        return read_files(self, *values)

    version = latest_version(path)
    with monkeypatch.context() as patched:
        patched.setattr(Transaction, "read_files", losing)
        with pytest.raises(JVM_ERRORS, match=r"(?i)block"):
            merged(session, path)
    assert latest_version(path) == version
    assert rows_of(session, path) == BEFORE
