"""Files are chosen from the checksum as Delta chooses them from the log, and without a job."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from sessions import forget_tables, jobs_so_far

from dbt.adapters.deltaspark.engine.change.request import ChangeRequest, resolve_change
from dbt.adapters.deltaspark.engine.delta.data_skipping import files_by_checksum
from dbt.adapters.deltaspark.engine.delta.jvm import Jvm, active, confs
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.engine.delta.jvm import JavaObject

COLUMNS = (
    "id INT, v STRING, day DATE, at TIMESTAMP, wall TIMESTAMP_NTZ, price DECIMAL(10, 2),"
    " ratio DOUBLE, n STRUCT<a: INT, b: STRING>, beyond BOOLEAN, p INT, `a.b %` STRING"
)
FILES = (
    "(1, 'apple', DATE'2026-01-01', TIMESTAMP'2026-01-01 10:00:00.123456',"
    " TIMESTAMP_NTZ'2026-01-01 10:00:00', 1.50, 0.5D, named_struct('a', 1, 'b', 'x'),"
    " true, 1, 'k')",
    "(5, 'banana', DATE'2026-02-01', TIMESTAMP'2026-02-01 10:00:00',"
    " TIMESTAMP_NTZ'2026-02-01 10:00:00', 2.50, double('NaN'), named_struct('a', 5, 'b', 'y'),"
    " false, 1, 'l')",
    "(7, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 2, NULL)",
    "(9, 'cherry', DATE'1582-10-04', TIMESTAMP'0001-01-01 00:00:00',"
    " TIMESTAMP_NTZ'9999-12-31 00:00:00', -2.50, -0.0D, named_struct('a', NULL, 'b', 'z'),"
    " true, NULL, 'k m/n')",
    "(11, 'straße and a text that is longer than what statistics keep of it', DATE'2026-03-01',"
    " TIMESTAMP'2026-03-01 10:00:00', TIMESTAMP_NTZ'2026-03-01 10:00:00', 9.99, 1D / 3D,"
    " named_struct('a', 11, 'b', NULL), false, 2, 'z')",
)
PREDICATES = (
    "id = 5",
    "id BETWEEN 4 AND 8",
    "id > 100",
    "id IN (1, 11)",
    "NOT id < 9",
    "id = 5 OR v = 'cherry'",
    "id <=> NULL",
    "v IS NULL",
    "v IS NOT NULL AND id < 8",
    "v LIKE 'ban%'",
    "v >= 'straße and a text that is longer than what statistics keep of it'",
    "upper(v) = 'APPLE'",
    "day = DATE'2026-02-01'",
    "day < DATE'1600-01-01'",
    "at >= TIMESTAMP'2026-01-01 10:00:00.1234'",
    "wall > TIMESTAMP_NTZ'2026-02-15 00:00:00'",
    "price < 0",
    "ratio = 0.0D",
    "n.a = 11",
    "n IS NULL",
    "beyond",
    "p = 1",
    "p IS NULL",
    "p = 2 AND id > 8",
    "p IN (1, 2) OR id = 9",
    "p + id = 6",
    "`a.b %` = 'k m/n'",
    "true",
    "false",
    "CAST(NULL AS BOOLEAN)",
)


@pytest.fixture(scope="module", params=["plain", "partitioned"])
def table(
    small: SparkSession, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> str:
    """Six files, each with a vector over a second row but one, which has no statistics."""
    name = f"delta.`{tmp_path_factory.mktemp('skipping') / str(request.param)}`"
    by = "PARTITIONED BY (p, `a.b %`)" if request.param != "plain" else ""
    small.sql(
        f"CREATE TABLE {name} ({COLUMNS}) USING delta {by} TBLPROPERTIES"
        " ('delta.columnMapping.mode' = 'name', 'delta.enableDeletionVectors' = 'true')"
    )
    small.sql(f"ALTER TABLE {name} RENAME COLUMN v TO other")
    small.sql(f"ALTER TABLE {name} RENAME COLUMN other TO v")
    for rows in FILES:
        small.sql(f"INSERT INTO {name} VALUES {rows}, {rows.replace('(', '(1000 + ', 1)}")
    with_no_statistics = "spark.databricks.delta.stats.collect"
    small.conf.set(with_no_statistics, "false")
    small.sql(f"INSERT INTO {name} VALUES {FILES[1]}")
    small.conf.unset(with_no_statistics)
    small.sql(f"DELETE FROM {name} WHERE id > 1000")
    return name


@pytest.fixture
def opened(small: SparkSession) -> Iterator[Jvm]:
    jvm = Jvm.private(small)
    with active(jvm):
        yield jvm


def read_by(jvm: Jvm, table: str, predicate: str | None) -> tuple[Transaction, list[JavaObject]]:
    """A transaction of the table, and the predicate as it is analyzed over it."""
    resolved = resolve_change(ChangeRequest(jvm.spark, table, predicate), jvm)
    log, catalog_table = resolved.table
    wanted = [] if resolved.condition is None else [resolved.condition]
    return Transaction(jvm, log.startTransaction(catalog_table, jvm.none)), wanted


def paths(jvm: Jvm, files: JavaObject) -> list[str]:
    return sorted(file.path() for file in jvm.items(files))


@pytest.mark.share(12)
@pytest.mark.parametrize("predicate", PREDICATES)
def test_the_files_are_those_that_delta_chooses(opened: Jvm, table: str, predicate: str) -> None:
    txn, wanted = read_by(opened, table, predicate)
    before = jobs_so_far(opened.spark)
    chosen = files_by_checksum(txn.checksum, wanted)
    assert jobs_so_far(opened.spark) == before
    assert chosen is not None
    theirs = txn.snapshot.filesForScan(opened.seq(wanted), True).files()
    assert paths(opened, chosen) == paths(opened, theirs)


def test_nan_may_be_in_each_file_with_a_value(opened: Jvm, table: str) -> None:
    txn, wanted = read_by(opened, table, "ratio > 0.4D")
    _, with_values = read_by(opened, table, "ratio IS NOT NULL")
    before = jobs_so_far(opened.spark)
    chosen = files_by_checksum(txn.checksum, wanted)
    assert jobs_so_far(opened.spark) == before
    found = txn.snapshot.filesForScan(opened.seq(with_values), True).files()
    assert paths(opened, chosen) == paths(opened, found)


def test_several_predicates_leave_what_delta_leaves(opened: Jvm, table: str) -> None:
    txn, (first,) = read_by(opened, table, "id > 4")
    _, (second,) = read_by(opened, table, "p = 1")
    for wanted in ([first, second], [second, first], [first, first]):
        theirs = txn.snapshot.filesForScan(opened.seq(wanted), True).files()
        chosen = files_by_checksum(txn.checksum, wanted)
        assert paths(opened, chosen) == paths(opened, theirs)


@pytest.mark.parametrize("predicate", [None, "id = 5", "p = 1", "p = 1 AND id = 5"])
def test_what_is_read_is_recorded_as_delta_records_it(
    opened: Jvm, table: str, predicate: str | None
) -> None:
    ours, wanted = read_by(opened, table, predicate)
    theirs, _ = read_by(opened, table, predicate)
    ours.read_files(wanted)
    theirs.java.filterFiles(opened.seq(wanted or [opened.true()]), True)
    assert recorded(ours) == recorded(theirs)


def recorded(txn: Transaction) -> tuple[list[str], list[str]]:
    """The paths and the predicates that the transaction has as read."""
    files, predicates = txn.java.readFiles().toArray(), txn.java.readPredicates().toArray()
    return sorted(file.path() for file in files), [each.toString() for each in predicates]


@pytest.mark.parametrize(
    "predicate",
    ["id > rand()", "_metadata.file_size > 0", "id IN (SELECT id FROM range(3))"],
)
def test_by_what_is_no_value_of_a_row_delta_itself_looks(
    opened: Jvm, table: str, predicate: str
) -> None:
    txn, _ = read_by(opened, table, None)
    plan = opened.analyzed(opened.spark.read.table(table).filter(predicate))
    while plan.getClass().getSimpleName() != "Filter":
        plan = plan.children().head()
    assert files_by_checksum(txn.checksum, [plan.condition()]) is None


def test_statistics_that_are_switched_off_are_not_used(opened: Jvm, table: str) -> None:
    txn, wanted = read_by(opened, table, "id = 5")
    with confs(opened, {"spark.databricks.delta.stats.skipping": "false"}):
        assert files_by_checksum(txn.checksum, wanted) is None


def test_without_a_checksum_the_log_is_read(small: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "unlisted"
    small.range(0, 9, 1, 3).write.format("delta").save(str(folder))
    for checksum in (folder / "_delta_log").glob("*.crc"):
        checksum.unlink()
    forget_tables(small)
    jvm = Jvm.private(small)
    with active(jvm):
        resolved = resolve_change(ChangeRequest(small, f"delta.`{folder}`", "id < 3"), jvm)
        with transaction(jvm, *resolved.table) as txn:
            assert files_by_checksum(txn.checksum, [resolved.condition]) is None
            assert txn.read_files([resolved.condition]).count == 1


def test_a_list_that_does_not_add_up_is_not_used(small: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "short"
    small.range(0, 9, 1, 3).write.format("delta").save(str(folder))
    checksum = folder / "_delta_log/00000000000000000000.crc"
    told = json.loads(checksum.read_text())
    checksum.write_text(json.dumps({**told, "allFiles": told["allFiles"][1:]}))
    checksum.with_name(f".{checksum.name}.crc").unlink(missing_ok=True)  # Hadoop's, of the file
    forget_tables(small)
    jvm = Jvm.private(small)
    with active(jvm):
        resolved = resolve_change(ChangeRequest(small, f"delta.`{folder}`", "id < 3"), jvm)
        with transaction(jvm, *resolved.table) as txn:
            assert txn.snapshot.checksumOpt().get().allFiles().get().size() == 2
            assert files_by_checksum(txn.checksum, []) is None
            assert txn.read_files([]).count == 3
