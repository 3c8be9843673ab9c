"""Storage that fails under a change: the error says what failed, and the table is as it was."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from broken_steps import BEFORE, Tables, rows_of
from commits import latest_version
from pyspark.errors import PySparkException
from sessions import for_small_tables, forget_tables
from storage import cut, fill, locked, make_read_only, small_disk
from targets import with_conf

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import commit_outcome
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.engine.delta.files import FileChanges, Operation

Change = Callable[["SparkSession", Path], engine.MergeResult]
UPSERT = """MERGE INTO delta.`{path}` t USING (SELECT * FROM VALUES (2, 20), (7, 70) AS v(id, n)) s
    ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"""
AFTER = [(1, 1), (2, 20), (3, 3), (7, 70)]
NOTHING_COMMITTED = "Nothing was committed: the rows are as they were."


def merged(session: SparkSession, path: Path) -> engine.MergeResult:
    return engine.merge_into(session, UPSERT.format(path=path))


def appended(session: SparkSession, path: Path) -> engine.MergeResult:
    target = engine.DeltaTarget.for_path(session, str(path))
    return engine.write(session.sql("SELECT 7 AS id, 7 AS n"), target)


def deleted(session: SparkSession, path: Path) -> engine.MergeResult:
    return engine.DeltaTarget.for_path(session, str(path)).delete("id = 2")


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> SparkSession:
    return for_small_tables(spark)


@pytest.fixture(scope="module")
def tables(session: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(session, tmp_path_factory.mktemp("tables"), "id INT, n INT")


@pytest.fixture
def path(tables: Tables, tmp_path: Path) -> Path:
    return tables.copied(tmp_path, vectors=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "disk") as folder:
        yield folder


@pytest.fixture
def before_commit(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Lets something happen right before each commit."""
    commit = Transaction.commit

    def arrange(happening: Callable[[], object]) -> None:
        def interrupted(
            self: Transaction,
            operation: Operation,
            changes: Sequence[FileChanges],
            values: Mapping[str, int],
            first: Sequence[Any] = (),
        ) -> int | None:
            happening()
            return commit(self, operation, changes, values, first)

        monkeypatch.setattr(Transaction, "commit", interrupted)

    return arrange


def first_line(error: pytest.ExceptionInfo[BaseException]) -> str:
    return str(error.value).splitlines()[0]


OUTSIDE_OF_UTC = (("spark.sql.session.timeZone", "Europe/Berlin"),)
"""Where the list of files in a checksum is not used."""


def log_file(path: Path, version: int, suffix: str = "json") -> Path:
    return path / "_delta_log" / f"{version:020}.{suffix}"


@pytest.mark.parametrize(
    "value",
    ["raise_error('Permission denied')", "CAST('Access Denied' AS INT)"],
    ids=["raised", "not cast"],
)
def test_words_of_a_row_are_no_fault_of_the_storage(
    session: SparkSession, tables: Tables, tmp_path: Path, value: str
) -> None:
    target = engine.DeltaTarget.for_path(session, str(tables.copied(tmp_path, vectors=True)))
    rows = session.sql(f"SELECT id, if(id = 2, {value}, id) AS n FROM VALUES (1), (2) AS t(id)")
    with pytest.raises(PySparkException, match="enied"):
        engine.write(rows, target)


@pytest.mark.parametrize("change", [merged, appended, deleted])
def test_a_full_disk_is_named_and_the_change_works_when_there_is_room(
    session: SparkSession, tables: Tables, disk: Path, change: Change
) -> None:
    path = tables.copied(disk, vectors=True)
    version, filling = latest_version(path), fill(disk)
    with pytest.raises(engine.DiskFullError) as error:
        change(session, path)
    assert first_line(error) == f"the disk is full at file:{path}: No space left on device"
    assert NOTHING_COMMITTED in str(error.value)
    assert (latest_version(path), rows_of(session, path)) == (version, BEFORE)
    filling.unlink()
    assert change(session, path).version == version + 1


@pytest.mark.parametrize("file_system", ["LocalFileSystem", "RawLocalFileSystem"])
def test_a_disk_that_is_full_when_the_commit_is_written_is_named(
    session: SparkSession,
    tables: Tables,
    disk: Path,
    before_commit: Callable[[Callable[[], object]], None],
    file_system: str,
) -> None:
    session = session.newSession()
    session.conf.set("fs.file.impl", f"org.apache.hadoop.fs.{file_system}")
    session.conf.set("fs.file.impl.disable.cache", "true")
    path = tables.copied(disk, vectors=True)
    files, version = set(path.glob("*.*")), latest_version(path)
    before_commit(lambda: fill(disk))
    with pytest.raises(engine.DiskFullError) as error:
        merged(session, path)
    assert first_line(error) == f"the disk is full at file:{path}: No space left on device"
    assert (latest_version(path), rows_of(session, path)) == (version, BEFORE)
    assert set(path.glob("*.*")) > files, "what was written is left for VACUUM"


def test_a_file_system_that_turned_read_only_is_named_with_the_file(
    session: SparkSession,
    tables: Tables,
    disk: Path,
    before_commit: Callable[[Callable[[], object]], None],
) -> None:
    path = tables.copied(disk, vectors=True)
    before_commit(lambda: make_read_only(disk))
    with pytest.raises(engine.StorageRefusedError) as error:
        deleted(session, path)
    assert first_line(error).startswith(f"the storage refused access at {path}/_delta_log/")
    assert first_line(error).endswith(": Read-only file system")
    assert rows_of(session, path) == BEFORE


def test_a_folder_that_takes_no_file_is_named_with_it_and_the_change_works_when_it_does(
    session: SparkSession, path: Path
) -> None:
    definition = engine.TableDefinition(properties=(("team", "sales"),))
    target, version = engine.DeltaTarget.for_path(session, str(path)), latest_version(path)
    with (
        locked(path / "_delta_log"),
        pytest.raises(engine.StorageRefusedError, match=f"refused access at {path}/_delta_log/"),
        engine.altered(target, definition),
    ):
        appended(session, path)
    assert (latest_version(path), rows_of(session, path)) == (version, BEFORE)
    assert merged(session, path).version == version + 1


def without_data_files(path: Path) -> Path:
    for file in path.glob("*.parquet"):
        file.unlink()
    return path / "part-"


def with_cut_data_files(path: Path) -> Path:
    for file in path.glob("*.parquet"):
        cut(file)
    return path / "part-"


def with_cut_commit(path: Path) -> Path:
    cut(file := log_file(path, latest_version(path)), 200)
    log_file(path, latest_version(path), "crc").unlink()
    return file


@pytest.mark.parametrize("change", [merged, deleted])
@pytest.mark.parametrize("damaged", [without_data_files, with_cut_data_files, with_cut_commit])
def test_a_damaged_file_is_named_and_nothing_is_committed(
    session: SparkSession, path: Path, damaged: Callable[[Path], Path], change: Change
) -> None:
    forget_tables(session)
    start, version = damaged(path), latest_version(path)
    with pytest.raises(engine.DamagedFileError) as error:
        change(session, path)
    assert first_line(error).startswith("a file cannot be read, file:")
    assert str(start) in first_line(error)
    assert NOTHING_COMMITTED in str(error.value)
    assert latest_version(path) == version


def test_a_cut_checkpoint_is_named_and_a_missing_one_is_not_needed_while_its_commits_are_there(
    session: SparkSession, path: Path
) -> None:
    session.sql(f"ALTER TABLE delta.`{path}` SET TBLPROPERTIES ('delta.checkpointInterval' = '1')")
    appended(session, path)
    checkpoint = log_file(path, latest_version(path), "checkpoint.parquet")
    log_file(path, latest_version(path) - 1, "checkpoint.parquet").unlink()
    forget_tables(session)
    cut(checkpoint)
    damaged = pytest.raises(
        engine.DamagedFileError, match=f"{checkpoint.name}: .* not a Parquet file"
    )
    with with_conf(session, OUTSIDE_OF_UTC), damaged:
        merged(session, path)
    forget_tables(session)
    checkpoint.unlink()
    merged(session, path)
    assert rows_of(session, path) == AFTER


@pytest.mark.parametrize("text", ["not JSON\n", '{"commitInfo":{"timest'], ids=["other", "half"])
def test_a_commit_of_another_writer_that_is_none_is_named_and_stays(
    session: SparkSession,
    path: Path,
    before_commit: Callable[[Callable[[], object]], None],
    text: str,
) -> None:
    rival = log_file(path, latest_version(path) + 1)
    before_commit(lambda: rival.write_text(text))
    with pytest.raises(engine.DamagedFileError) as error:
        merged(session, path)
    assert first_line(error).endswith(f"{rival}: it is no commit: its lines are not JSON")
    assert rival.read_text() == text
    assert latest_version(path) == int(rival.stem)


def test_a_version_that_exists_already_and_is_empty_comes_before_ours(
    session: SparkSession, path: Path, before_commit: Callable[[Callable[[], object]], None]
) -> None:
    rival = log_file(path, latest_version(path) + 1)
    before_commit(rival.touch)
    assert merged(session, path).version == int(rival.stem) + 1
    assert rows_of(session, path) == AFTER


def test_a_commit_whose_log_cannot_be_read_after_it_is_unknown_and_its_files_stay(
    session: SparkSession, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere, files = tmp_path / "elsewhere", set(path.glob("*.parquet"))

    def gone(_: str) -> None:
        monkeypatch.undo()
        (path / "_delta_log").rename(elsewhere)

    monkeypatch.setattr(commit_outcome, "commit_begins", gone)
    with pytest.raises(engine.UnknownOutcomeError) as error:
        merged(session, path)
    assert first_line(error).startswith("the commit got no answer")
    assert "Whether it was committed is unknown. None of its files was removed" in str(error.value)
    assert set(path.glob("*.parquet")) > files
    elsewhere.rename(path / "_delta_log")
    assert rows_of(session, path) == BEFORE


def test_a_commit_that_is_in_the_log_when_what_follows_it_fails_is_a_success_with_a_warning(
    session: SparkSession, tables: Tables, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tables.copied(tmp_path, vectors=False)
    manifests = "'delta.compatibility.symlinkFormatManifest.enabled' = 'true'"
    session.sql(f"ALTER TABLE delta.`{path}` SET TBLPROPERTIES ({manifests})")
    appended(session, path)
    version = latest_version(path)
    with locked(path / "_symlink_format_manifest"), caplog.at_level(logging.WARNING):
        assert appended(session, path).version == version + 1
    assert f"version {version + 1} is committed; what follows a commit failed" in caplog.text
    assert rows_of(session, path) == [*BEFORE, (7, 7), (7, 7)]


def test_a_table_that_cannot_be_read_after_the_commit_is_no_error_of_the_write(
    session: SparkSession, path: Path, before_commit: Callable[[Callable[[], object]], None]
) -> None:
    appended(session, path)
    version = latest_version(path)
    before_commit(log_file(path, version - 1).unlink)
    assert appended(session, path).version == version + 1
