"""Tables made while another writer makes them, too; tables in folders."""

from __future__ import annotations

import importlib
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version
from rival_tables import RIVAL, ours

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.write import first_version

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

# The package exports a function of this name.
write = importlib.import_module("dbt.adapters.deltaspark.engine.write.conductor")

NAME = "created_table"


@pytest.fixture
def table(small: SparkSession) -> Iterator[engine.DeltaTarget]:
    yield engine.DeltaTarget.for_name(small, NAME)
    small.sql(f"DROP TABLE IF EXISTS {NAME}")
    shutil.rmtree(warehouse_folder(small).removeprefix("file:"), ignore_errors=True)


def failing(small: SparkSession) -> DataFrame:
    return small.sql("SELECT id, raise_error('on purpose') AS v FROM VALUES (1) AS t(id)")


def warehouse_folder(small: SparkSession) -> str:
    return f"{small.conf.get('spark.sql.warehouse.dir')}/{NAME}"


def left_by_another(small: SparkSession, folder: str, commits: int) -> None:
    for _ in range(commits):
        rows = small.sql("SELECT 100 AS id, 'lost' AS v")
        rows.write.format("delta").mode("append").save(folder)


@pytest.fixture
def lost(small: SparkSession) -> Iterator[str]:
    """The table's folder in the warehouse, with a table of two commits and without an entry."""
    folder = warehouse_folder(small)
    left_by_another(small, folder, 2)
    yield folder


def ids(small: SparkSession, path: Path | str) -> list[int]:
    return sorted(row.id for row in small.read.format("delta").load(str(path)).collect())


def elsewhere(small: SparkSession, statement: str) -> None:
    with ThreadPoolExecutor(1) as thread:
        thread.submit(small.newSession().sql, statement).result()


def rival_after_the_check(
    small: SparkSession, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    """Another writer runs the statement when ours has seen that there is no table."""
    check = write.table_exists

    def checked(spark: SparkSession, name: str) -> bool:
        found: bool = check(spark, name)
        elsewhere(small, statement)
        return found

    monkeypatch.setattr(write, "table_exists", checked)


def test_a_rival_s_table_of_the_name_keeps_its_rows(
    small: SparkSession, table: engine.DeltaTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    rival_after_the_check(small, monkeypatch, RIVAL.format(NAME))
    with pytest.raises(engine.EngineError, match="a Delta table is there already; nothing was"):
        engine.write(ours(small), table, columns={"id": "NOT NULL"})
    assert [row.id for row in small.table(NAME).collect()] == [100]


@pytest.mark.parametrize("rows", [ours, failing])
def test_a_rival_s_table_in_the_location_keeps_its_rows(
    small: SparkSession,
    table: engine.DeltaTarget,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rows: Callable[[SparkSession], DataFrame],
) -> None:
    rival_after_the_check(small, monkeypatch, RIVAL.format(f"delta.`{path}`"))
    location = {"location": str(path)}
    with pytest.raises(engine.EngineError, match="a Delta table is there already; nothing was"):
        engine.write(rows(small), table, columns={"id": "NOT NULL"}, properties=location)
    assert ids(small, path) == [100]
    assert not small.catalog.tableExists(NAME)


def test_a_rival_s_table_that_is_committed_before_ours_keeps_its_rows(
    small: SparkSession, table: engine.DeltaTarget, before_our_commit: Any
) -> None:
    before_our_commit(RIVAL.format(NAME))
    with pytest.raises(engine.EngineError, match="made by another writer first; nothing was"):
        engine.write(ours(small), table, columns={"id": "NOT NULL"})
    assert [row.id for row in small.table(NAME).collect()] == [100]
    engine.write(ours(small), table)
    assert sorted(row.id for row in small.table(NAME).collect()) == [1, 100]


def test_a_rival_s_rows_stay_where_ours_fails_after_they_came(
    small: SparkSession,
    table: engine.DeltaTarget,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The rival makes the table while our rows are about to be written, and ours fail then."""
    checked = first_version.refuse_missing_partition_columns

    def interrupted(*arguments: Any) -> None:
        elsewhere(small, RIVAL.format(f"delta.`{path}`"))
        checked(*arguments)

    monkeypatch.setattr(first_version, "refuse_missing_partition_columns", interrupted)
    location = {"location": str(path)}
    with pytest.raises(Exception, match="on purpose"):
        engine.write(failing(small), table, columns={"id": "NOT NULL"}, properties=location)
    assert ids(small, path) == [100]
    assert not small.catalog.tableExists(NAME)


@pytest.mark.parametrize("columns", [{}, {"id": "NOT NULL"}], ids=["plain", "defined"])
def test_a_table_that_the_catalog_lost_is_replaced_in_one_commit(
    small: SparkSession, table: engine.DeltaTarget, lost: str, columns: dict[str, str]
) -> None:
    result = engine.write(ours(small), table, "overwrite", overwrite_schema=True, columns=columns)
    assert (result.version, result.route) == (2, "classic")
    assert [tuple(row) for row in small.table(NAME).collect()] == [(1, "ours")]


def test_a_replacement_of_a_lost_table_that_fails_registers_nothing(
    small: SparkSession, table: engine.DeltaTarget, lost: str
) -> None:
    with pytest.raises(Exception, match="on purpose"):
        engine.write(failing(small), table, "overwrite", overwrite_schema=True)
    assert ids(small, lost) == [100, 100]
    assert not small.catalog.tableExists(NAME)


@pytest.mark.parametrize("mode", ["error", "ignore", "append"])
@pytest.mark.parametrize("place", ["warehouse", "location"])
@pytest.mark.parametrize("commits", [1, 2])
def test_a_table_that_the_catalog_lost_stays_in_every_other_mode(
    small: SparkSession,
    table: engine.DeltaTarget,
    path: Path,
    mode: Any,
    place: str,
    commits: int,
) -> None:
    folder, said = warehouse_folder(small), {}
    if place == "location":
        folder, said = str(path), {"location": str(path)}
    left_by_another(small, folder, commits)
    with pytest.raises(engine.EngineError, match=rf"{folder}: a Delta table .* Register it"):
        engine.write(ours(small), table, mode, overwrite_schema=mode != "append", properties=said)
    assert ids(small, folder) == [100] * commits
    assert not small.catalog.tableExists(NAME)


def test_a_name_that_a_rival_takes_elsewhere_stays_the_rival_s(
    small: SparkSession, table: engine.DeltaTarget, path: Path, before_our_commit: Any
) -> None:
    before_our_commit(f"{RIVAL.format(NAME)[:-35]} LOCATION '{path}' AS SELECT 100 AS id")
    with pytest.raises(Exception, match=NAME) as raised:
        engine.write(ours(small), table, columns={"id": "NOT NULL"})
    assert "is not registered in the catalog" in "".join(raised.value.__notes__)
    assert [row.id for row in small.table(NAME).collect()] == [100]


@pytest.mark.parametrize("mode", ["append", "error", "ignore"])
def test_a_table_is_made_in_a_folder_where_nothing_is(
    small: SparkSession, target: engine.DeltaTarget, path: Path, mode: Any
) -> None:
    if mode == "append":
        path.mkdir()
    result = engine.write(ours(small), target, mode)
    assert (result.version, result.route, result.metrics.inserted) == (0, "insert_only", 1)
    assert ids(small, path) == [1]


def test_a_table_in_a_folder_is_what_is_said_of_it(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    rows = small.sql("SELECT /*+ COALESCE(1) */ id, 'x' AS v FROM range(10)")
    engine.write(
        rows,
        target,
        "overwrite",
        replace_where="id >= 0",
        cluster_by=["id"],
        properties={"team": "ours"},
        comment="a table",
        options={"maxRecordsPerFile": "5", "delta.enableChangeDataFeed": "true"},
        user_metadata="first",
        idempotency_key="monday",
    )
    detail = small.sql(f"DESCRIBE DETAIL {target.name}").first()
    assert (detail["clusteringColumns"], detail["description"]) == (["id"], "a table")
    assert detail["properties"] == {"team": "ours", "delta.enableChangeDataFeed": "true"}
    commit = commit_of(path, 0)
    assert (len(commit.added), commit.info["userMetadata"]) == (2, "first")
    assert engine.write(rows, target, idempotency_key="monday").skipped


def test_a_partitioned_table_is_made_in_a_folder_among_other_files(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    ours(small).write.parquet(str(path))
    engine.write(ours(small), target, partition_by=["V"], columns={"id": "NOT NULL"})
    assert commit_of(path, 0).added[0]["partitionValues"] == {"v": "ours"}
    assert ids(small, path) == [1]


@pytest.mark.parametrize("columns", [None, {"id": "NOT NULL"}])
def test_columns_that_differ_by_case_alone_make_no_table(
    small: SparkSession, target: engine.DeltaTarget, path: Path, columns: Any
) -> None:
    with pytest.raises(Exception, match="DELTA_DUPLICATE_COLUMNS_FOUND|COLUMN_ALREADY_EXISTS"):
        engine.write(small.sql("SELECT 1 AS id, 2 AS ID"), target, columns=columns)
    assert not list(path.glob("_delta_log/*.json"))


def test_a_first_write_that_fails_leaves_the_folder_to_the_next(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(Exception, match="on purpose"):
        engine.write(failing(small), target)
    engine.write(ours(small), target, "error")
    assert (latest_version(path), ids(small, path)) == (0, [1])
