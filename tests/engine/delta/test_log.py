"""How the engine reads a table's log."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import forget_tables

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
