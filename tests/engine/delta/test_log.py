"""How the engine reads a table's log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import forget_tables, jobs_so_far

from dbt.adapters.deltaspark.engine.change.request import ChangeRequest, resolve_change
from dbt.adapters.deltaspark.engine.delta import transactions
from dbt.adapters.deltaspark.engine.delta.jvm import Jvm, active
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction, transaction

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.engine.delta.files import Files
    from dbt.adapters.deltaspark.engine.delta.jvm import JavaObject

GENERATION = "spark.sql.codegen.factoryMode"


def modes_of_reading(
    spark: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str, str]:
    """How Spark generates code before, while and after the log of a table is read."""
    jvm, seen = Jvm.private(spark), []
    files_of = Transaction.files_of

    def seeing(self: Transaction, files: JavaObject) -> Files:
        seen.append(jvm.conf(GENERATION))
        return files_of(self, files)

    monkeypatch.setattr(Transaction, "files_of", seeing)
    with active(jvm):
        resolved = resolve_change(ChangeRequest(spark, f"delta.`{path}`", "id < 5"), jvm)
        with transaction(jvm, *resolved.table) as txn:
            before = jvm.conf(GENERATION)
            files = txn.read_files([resolved.condition])
            assert files.count == 1
            return before, seen[0], jvm.conf(GENERATION)


@pytest.fixture
def path(spark: SparkSession, tmp_path: Path) -> Path:
    folder = tmp_path / "a table"
    spark.range(0, 10, 1, 1).write.format("delta").save(str(folder))
    return folder


@pytest.fixture(params=["FALLBACK", "CODEGEN_ONLY"])
def mode(request: pytest.FixtureRequest) -> str:
    """What the session says of generated code."""
    return str(request.param)


@pytest.fixture
def session(spark: SparkSession, mode: str) -> SparkSession:
    session = spark.newSession()
    session.conf.set(GENERATION, mode)
    return session


def test_the_log_of_few_files_is_read_without_generated_code(
    session: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    assert modes_of_reading(session, path, monkeypatch) == (mode, "NO_CODEGEN", mode)


def test_the_log_of_many_files_is_read_with_it(
    session: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(transactions, "FILES_READ_WITHOUT_CODE", 0)
    assert modes_of_reading(session, path, monkeypatch) == (mode,) * 3


def test_so_is_a_log_that_does_not_say_how_many_files_it_has(
    session: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    for checksum in (path / "_delta_log").glob("*.crc"):
        checksum.unlink()
    forget_tables(session)
    assert modes_of_reading(session, path, monkeypatch) == (mode,) * 3


@pytest.fixture
def scattered(small: SparkSession, tmp_path: Path) -> Path:
    """Several files in partitions of odd names, one with a vector."""
    folder = tmp_path / "scattered"
    rows = small.sql(
        "SELECT id, concat('a b/%=', id % 2) AS p, id / 3 AS v FROM range(0, 12, 1, 3)"
    )
    writer = rows.write.format("delta").option("delta.enableDeletionVectors", "true")
    writer.partitionBy("p").save(str(folder))
    small.sql(f"DELETE FROM delta.`{folder}` WHERE id = 3")
    return folder


def files_with_statistics(spark: SparkSession, path: Path) -> tuple[list[str], int]:
    """The AddFiles as JSON, and how many Spark jobs it took to give them their statistics."""
    jvm = Jvm.private(spark)
    with active(jvm):
        resolved = resolve_change(ChangeRequest(spark, f"delta.`{path}`", "id < 50"), jvm)
        with transaction(jvm, *resolved.table) as txn:
            files = txn.read_files([])
            before = jobs_so_far(spark)
            known = txn.with_statistics(files)
            jobs = jobs_so_far(spark) - before
            return sorted(file.json() for file in jvm.items(known.java)), jobs


def test_statistics_of_few_files_are_read_from_the_checksum(
    small: SparkSession, scattered: Path
) -> None:
    files, jobs = files_with_statistics(small, scattered)
    assert (len(files), jobs) == (6, 0)
    assert all("numRecords" in file for file in files)


def test_where_the_checksum_is_not_there_or_doubted_they_are_read_from_the_log_and_the_same(
    small: SparkSession, scattered: Path
) -> None:
    recorded, _ = files_with_statistics(small, scattered)
    elsewhere = small.newSession()
    elsewhere.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    doubted, jobs = files_with_statistics(elsewhere, scattered)
    assert (doubted, jobs > 0) == (recorded, True)
    for checksum in (scattered / "_delta_log").glob("*.crc"):
        checksum.unlink()
    forget_tables(small)
    gone, jobs = files_with_statistics(small, scattered)
    assert (gone, jobs > 0) == (recorded, True)
