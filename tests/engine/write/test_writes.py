"""Writes, deletes and updates by the Python API: what they give back, make, refuse and say."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession
    from seed_tables import TableFrom


@pytest.fixture
def path(table_from: TableFrom, tmp_path: Path) -> Path:
    one = "SELECT /*+ COALESCE(1) */ * FROM VALUES"
    return table_from(
        tmp_path / "target",
        "CREATE TABLE {table} (id INT, v STRING) USING delta"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
        f"INSERT INTO {{table}} {one} (1, 'a'), (2, 'b'), (3, 'c')",
        f"INSERT INTO {{table}} {one} (8, 'h'), (9, 'i')",
    )


@pytest.fixture
def target(small: SparkSession, path: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(small, str(path))


@pytest.fixture
def table(small: SparkSession) -> Iterator[str]:
    yield "writes_table"
    small.sql("DROP TABLE IF EXISTS writes_table")


def values(small: SparkSession, rows: str) -> DataFrame:
    return small.sql(f"SELECT * FROM VALUES {rows} AS v(id, v)")


def rows_of(small: SparkSession, path: Path) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in small.read.format("delta").load(str(path)).collect())


def rows_in(small: SparkSession, table: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in small.table(table).collect())


def test_a_delete_says_what_it_did(target: engine.DeltaTarget, path: Path) -> None:
    result = target.delete("id = 1 OR id > 7")
    assert (result.version, result.route) == (3, "deletion_vectors")
    assert result.metrics.deleted == result.metrics.affected == 3
    assert result.plan.explain() == (
        f"DELETE delta.`file:{path}`\n"
        "  route: deletion_vectors (the table has deletion vectors on)\n"
        "  files: 0 whole and 2 to scan, of 2\n"
        "  pruned by: the condition\n"
        "  steps: 0 kept, 1 given a vector, 0 rewritten, 1 removed whole"
    )


def test_a_delete_of_every_row_scans_nothing(target: engine.DeltaTarget) -> None:
    result = target.delete()
    assert (result.route, result.metrics.deleted) == ("classic", 5)
    assert "files: 2 whole and 0 to scan, of 2" in result.plan.explain()


def test_an_update_says_what_it_did(target: engine.DeltaTarget) -> None:
    result = target.update({"v": "upper(v)"}, "id = 2")
    assert (result.version, result.route) == (3, "deletion_vectors")
    assert (result.metrics.updated, result.metrics.inserted) == (1, 0)


def test_what_matches_nothing_commits_nothing(target: engine.DeltaTarget, path: Path) -> None:
    for result in (target.delete("id = 5"), target.update({"v": "'z'"}, "id = 5")):
        assert (result.version, result.route, result.skipped) == (None, "no_op", True)
    assert latest_version(path) == 2


def test_an_update_of_nothing_is_refused(target: engine.DeltaTarget) -> None:
    with pytest.raises(engine.SpecError, match="at least one column to set"):
        target.update({})


def test_a_condition_is_one_expression(target: engine.DeltaTarget, path: Path) -> None:
    with pytest.raises(Exception, match="PARSE_SYNTAX_ERROR"):
        target.delete("id = 1; DROP TABLE t")
    with pytest.raises(Exception, match="PARSE_SYNTAX_ERROR"):
        target.update({"v": "'z' WHERE true --"}, "id = 1")
    assert latest_version(path) == 2


def test_a_commit_carries_the_user_s_note(target: engine.DeltaTarget, path: Path) -> None:
    target.delete("id = 1", user_metadata="a note")
    assert commit_of(path, 3).info["userMetadata"] == "a note"


def test_a_write_says_what_it_replaced(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    rows = values(small, "(2, 'x'), (8, 'y')")
    result = engine.write(rows, target, "overwrite", replace_using=["id"])
    assert rows_of(small, path) == [(1, "a"), (2, "x"), (3, "c"), (8, "y"), (9, "i")]
    assert (result.version, result.route) == (3, "deletion_vectors")
    assert (result.metrics.inserted, result.metrics.deleted) == (2, 2)
    assert "2 given a vector" in result.plan.explain()


def test_new_rows_outside_of_replace_where_are_named(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    rows = values(small, "(8, 'x'), (1, 'y'), (2, 'z'), (NULL, 'n')")
    with pytest.raises(engine.ReplaceWhereViolationError) as raised:
        engine.write(rows, target, "overwrite", replace_where="id >= 8")
    assert "replace_where 'id >= 8'" in str(raised.value)
    assert sorted(raised.value.rows) == [
        "id = 1, v = 'y'",
        "id = 2, v = 'z'",
        "id = null, v = 'n'",
    ]
    assert latest_version(path) == 2
    assert len(rows_of(small, path)) == 5


def test_a_write_makes_the_table_with_everything_in_force(small: SparkSession, table: str) -> None:
    target = engine.DeltaTarget.for_name(small, table)
    result = engine.write(
        values(small, "(1, 'a')"),
        target,
        partition_by=["v"],
        properties={"delta.constraints.small": "id < 10", "team": "ours"},
        comment="a table",
        user_metadata="first",
    )
    assert (result.version, result.route, result.metrics.inserted) == (0, "native", 1)
    assert small.sql(f"DESCRIBE HISTORY {table}").first()["userMetadata"] == "first"
    detail = small.sql(f"DESCRIBE DETAIL {table}").first()
    assert detail["partitionColumns"] == ["v"]
    assert detail["properties"]["team"] == "ours"
    assert detail["description"] == "a table"
    with pytest.raises(Exception, match="DELTA_VIOLATE_CONSTRAINT"):
        engine.write(values(small, "(10, 'a')"), target)


def test_the_first_rows_must_hold_the_new_table_s_constraints(
    small: SparkSession, table: str
) -> None:
    target = engine.DeltaTarget.for_name(small, table)
    with pytest.raises(Exception, match="DELTA_VIOLATE_CONSTRAINT"):
        engine.write(
            values(small, "(10, 'a')"), target, properties={"delta.constraints.small": "id < 10"}
        )
    assert not small.catalog.tableExists(table)


def test_a_write_makes_a_clustered_table(small: SparkSession, table: str) -> None:
    target = engine.DeltaTarget.for_name(small, table)
    engine.write(values(small, "(1, 'a')"), target, cluster_by=["id"])
    assert small.sql(f"DESCRIBE DETAIL {table}").first()["clusteringColumns"] == ["id"]
    engine.write(values(small, "(2, 'b')"), target, "overwrite", cluster_by=["id"])
    assert small.sql(f"DESCRIBE DETAIL {table}").first()["clusteringColumns"] == ["id"]
    with pytest.raises(engine.SpecError, match="it is clustered by"):
        engine.write(values(small, "(3, 'c')"), target, cluster_by=["v"])
    assert rows_in(small, table) == [(2, "b")]


def test_overwrite_schema_replaces_the_table_and_keeps_its_history(
    small: SparkSession, table: str
) -> None:
    target = engine.DeltaTarget.for_name(small, table)
    engine.write(values(small, "(1, 'a')"), target)
    result = engine.write(
        small.sql("SELECT 5 AS other"), target, "overwrite", overwrite_schema=True
    )
    assert result.version == 1
    assert small.table(table).columns == ["other"]
    assert small.sql(f"SELECT * FROM {table} VERSION AS OF 0").columns == ["id", "v"]


@pytest.mark.embedded("counts what this process's Spark asks Hive")
def test_a_table_that_is_replaced_is_looked_up_once(small: SparkSession, table: str) -> None:
    target, rows = engine.DeltaTarget.for_name(small, table), values(small, "(1, 'a')")
    engine.write(rows, target)
    asked = small._jvm.org.apache.spark.metrics.source.HiveCatalogMetrics.METRIC_HIVE_CLIENT_CALLS()
    before = asked.getCount()
    engine.write(rows, target, "overwrite", overwrite_schema=True)
    replaced = asked.getCount() - before
    before = asked.getCount()
    small.table(table)
    assert replaced == asked.getCount() - before


def test_modes_error_and_ignore_leave_a_table_alone(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(engine.EngineError, match="exists already"):
        engine.write(values(small, "(7, 'x')"), target, "error")
    result = engine.write(values(small, "(7, 'x')"), target, "ignore")
    assert (result.version, result.route) == (None, "no_op")
    assert latest_version(path) == 2


def test_an_idempotency_key_is_written_once(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    for key in ("monday", "monday", "tuesday", "monday"):
        engine.write(values(small, "(7, 'x')"), target, idempotency_key=key)
    assert latest_version(path) == 4
    assert rows_of(small, path).count((7, "x")) == 2


def test_a_write_that_describes_the_table_otherwise_is_refused(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(engine.SpecError) as raised:
        engine.write(values(small, "(7, 'x')"), target, properties={"team": "ours"}, comment="c")
    assert "property team is None, not 'ours'; the comment is None, not 'c'" in str(raised.value)
    assert latest_version(path) == 2


def test_readers_during_overwrites_see_the_old_rows_or_the_new(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    engine.write(values(small, "(0, 'w'), (0, 'w')"), target, "overwrite")
    done = threading.Event()

    def read() -> set[tuple[tuple[Any, ...], ...]]:
        session, seen = small.newSession(), set()
        while not done.is_set():
            seen.add(tuple(rows_of(session, path)))
        return seen

    with ThreadPoolExecutor(1) as reader:
        seen = reader.submit(read)
        for number in range(1, 6):
            rows = values(small, f"({number}, 'w'), ({number}, 'w')")
            engine.write(rows, target, "overwrite")
        done.set()
    assert seen.result() <= {((number, "w"), (number, "w")) for number in range(6)}


def test_a_write_that_reads_its_own_table(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    rows = small.read.format("delta").load(str(path)).filter("id < 3")
    engine.write(rows, target, "overwrite")
    assert rows_of(small, path) == [(1, "a"), (2, "b")]
    engine.write(small.read.format("delta").load(str(path)), target)
    assert rows_of(small, path) == [(1, "a"), (1, "a"), (2, "b"), (2, "b")]


def test_a_column_named_as_spark_s_metadata_takes_delta_s_own_commands(
    small: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "hidden"
    small.sql("SELECT 1 AS id, 2 AS _metadata").write.format("delta").save(str(path))
    target = engine.DeltaTarget.for_path(small, str(path))
    merged = (
        target.merge(
            small.sql("SELECT 5 AS id, 6 AS _metadata"),
            "t.id = s.id",
            source_alias="s",
            target_alias="t",
        )
        .when_matched_update_all()
        .when_not_matched_insert_all()
    )
    results = [
        target.update({"_metadata": "_metadata * 10"}, "id = 1"),
        engine.write(small.sql("SELECT 3 AS id, 4 AS _metadata"), target),
        merged.execute(),
        target.delete("id = 3"),
    ]
    assert [result.route for result in results] == ["native"] * 4
    assert rows_of(small, path) == [(1, 20), (5, 6)]
