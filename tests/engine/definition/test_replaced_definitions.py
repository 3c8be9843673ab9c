"""Tables replaced with definitions of their columns: in one commit, or left as they were."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version
from defining import NAME, nullable, refused, rows_of, sales

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


def test_a_table_is_replaced_with_definitions_in_one_commit(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path
) -> None:
    result = engine.write(
        sales(small, "(3, 2, 3), (4, 1, 1)"),
        there,
        "overwrite",
        overwrite_schema=True,
        columns={
            "id": "NOT NULL",
            "total": "INT GENERATED ALWAYS AS (price * amount)",
            "key": "BIGINT GENERATED ALWAYS AS IDENTITY",
            "n": "INT DEFAULT 3",
        },
        properties={"delta.constraints.cheap": "price < 10", "team": "ours"},
        cluster_by=["ID"],
        comment="sold",
    )
    assert (result.version, result.route, latest_version(path_there)) == (2, "classic", 2)
    assert result.plan.explain() == (
        f"WRITE {there.name}\n"
        "  route: classic (the table is replaced whole, with definitions of its columns)\n"
        "  files: 2 whole and 0 to scan, of 2\n"
        "  pruned by: nothing\n"
        "  steps: 0 kept, 0 given a vector, 0 rewritten, 2 removed whole"
    )
    commit = commit_of(path_there, 2)
    assert commit.info["operation"] == "CREATE OR REPLACE TABLE AS SELECT"
    assert (len(commit.removed), commit.metrics["numOutputRows"]) == (2, 2)
    assert rows_of(there, "id", "total", "n") == [(3, 6, 3), (4, 1, 3)]
    assert sorted(row[0] for row in rows_of(there, "key")) == [1, 2]
    assert nullable(there) == {
        "id": False,
        "price": True,
        "amount": True,
        "total": True,
        "key": True,
        "n": True,
    }
    engine.write(sales(small, "(5, 1, 1)"), there)
    assert max(row[0] for row in rows_of(there, "key")) == 3
    refused(lambda: engine.write(sales(small, "(6, 11, 1)"), there), "cheap")
    detail = small.sql(f"DESCRIBE DETAIL {there.name}").first()
    assert (detail["clusteringColumns"], detail["description"]) == (["id"], "sold")
    assert small.sql(f"SELECT * FROM {there.name} VERSION AS OF 1").columns == ["id", "v"]


def test_every_version_that_a_reader_can_see_while_a_table_is_replaced_has_rows(
    small: SparkSession, there: engine.DeltaTarget
) -> None:
    for number in range(3):
        rows = sales(small, f"({number}, 1, 1)")
        columns = {"id": "NOT NULL"}
        engine.write(rows, there, "overwrite", overwrite_schema=True, columns=columns)
    counts = [
        small.sql(f"SELECT count(*) FROM {there.name} VERSION AS OF {version}").first()[0]
        for version in range(1, 5)
    ]
    assert counts == [2, 1, 1, 1]


@pytest.mark.parametrize(
    ("columns", "properties", "rows", "error"),
    [
        ({"id": "NOT NULL"}, {}, "(1, 1, 1), (NULL, 2, 2)", "DELTA_NOT_NULL_CONSTRAINT_VIOLATED"),
        ({"amount": "GENERATED ALWAYS AS (id)"}, {}, "(1, 1, 2)", "Generated Column"),
        ({"id": "GENERATED ALWAYS AS IDENTITY"}, {}, "(1L, 1, 1)", "AS IDENTITY column id"),
        ({"key": "INT GENERATED ALWAYS AS IDENTITY"}, {}, "(1, 1, 1)", "IDENTITY"),
        ({"n": "INT DEFAULT 'x'"}, {}, "(1, 1, 1)", "INVALID_DEFAULT_VALUE"),
        ({"id": "NOT NULL"}, {"delta.constraints.c": "id < 3"}, "(3, 1, 1)", "DELTA_VIOLATE"),
        ({"id": "NOT NULL"}, {"delta.unknown": "x"}, "(1, 1, 1)", "delta.unknown"),
        ({"id": "NOT NULL"}, {"location": "/elsewhere"}, "(1, 1, 1)", "not in /elsewhere"),
    ],
)
def test_what_cannot_be_leaves_the_table_as_it_was(
    small: SparkSession,
    there: engine.DeltaTarget,
    path_there: Path,
    columns: dict[str, str],
    properties: dict[str, str],
    rows: str,
    error: str,
) -> None:
    refused(
        lambda: engine.write(
            sales(small, rows),
            there,
            "overwrite",
            overwrite_schema=True,
            columns=columns,
            properties=properties,
        ),
        error,
    )
    assert latest_version(path_there) == 1
    assert rows_of(there, "id", "v") == [(1, "a"), (2, "b")]


def test_a_partitioned_table_is_replaced_with_definitions(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path
) -> None:
    engine.write(
        sales(small, "(1, 2, 3), (2, 2, 3)"),
        there,
        "overwrite",
        overwrite_schema=True,
        partition_by=["ID"],
        columns={"price": "NOT NULL"},
    )
    assert small.sql(f"DESCRIBE DETAIL {there.name}").first()["partitionColumns"] == ["id"]
    assert {add["partitionValues"]["id"] for add in commit_of(path_there, 2).added} == {"1", "2"}


def test_a_replaced_table_keeps_no_clustering_but_what_is_said(
    small: SparkSession, defined: engine.DeltaTarget
) -> None:
    engine.write(sales(small, "(1, 2, 3)"), defined, cluster_by=["id"])
    rows = sales(small, "(2, 2, 3)")
    columns = {"id": "NOT NULL"}
    engine.write(rows, defined, "overwrite", overwrite_schema=True, columns=columns)
    assert small.sql(f"DESCRIBE DETAIL {NAME}").first()["clusteringColumns"] == []
    refused(
        lambda: engine.write(
            rows,
            defined,
            "overwrite",
            overwrite_schema=True,
            columns=columns,
            partition_by=["id"],
        ),
        "partitioned",
    )
    assert rows_of(defined, "id") == [(2,)]


def test_row_ids_and_changes_go_on_after_a_replacement(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path
) -> None:
    properties = {"delta.enableRowTracking": "true", "delta.enableChangeDataFeed": "true"}
    for number in (1, 2):
        engine.write(
            small.sql(f"SELECT /*+ COALESCE(1) */ {number} AS id"),
            there,
            "overwrite",
            overwrite_schema=True,
            columns={"id": "NOT NULL"},
            properties=properties,
        )
    assert [commit_of(path_there, version).added[0]["baseRowId"] for version in (2, 3)] == [0, 1]
    changes = small.read.option("readChangeFeed", "true").option("startingVersion", 3)
    rows = changes.format("delta").load(str(path_there)).select("_change_type", "id").collect()
    assert sorted(tuple(row) for row in rows) == [("delete", 1), ("insert", 2)]


def test_a_replacement_that_carries_a_known_idempotency_key_does_nothing(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path
) -> None:
    for rows in ("(1, 2, 3)", "(2, 2, 3)"):
        engine.write(
            sales(small, rows),
            there,
            "overwrite",
            overwrite_schema=True,
            columns={"id": "NOT NULL"},
            idempotency_key="monday",
        )
    assert latest_version(path_there) == 2
    assert rows_of(there, "id") == [(1,)]


def test_a_table_that_is_replaced_by_its_own_rows(
    small: SparkSession, there: engine.DeltaTarget
) -> None:
    rows = small.table(there.name).filter("id = 2")
    engine.write(rows, there, "overwrite", overwrite_schema=True, columns={"v": "NOT NULL"})
    assert rows_of(there, "id", "v") == [(2, "b")]


def test_a_table_that_only_grows_is_not_replaced(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path
) -> None:
    small.sql(f"ALTER TABLE {there.name} SET TBLPROPERTIES ('delta.appendOnly' = 'true')")
    rows, columns = sales(small, "(1, 2, 3)"), {"id": "NOT NULL"}
    refused(
        lambda: engine.write(rows, there, "overwrite", overwrite_schema=True, columns=columns),
        "DELTA_CANNOT_MODIFY_APPEND_ONLY",
    )
    assert latest_version(path_there) == 2


def test_another_writer_s_rows_that_come_first_are_replaced_too(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path, before_our_commit: Any
) -> None:
    before_our_commit(f"INSERT INTO {there.name} VALUES (9, 'z')")
    rows = small.sql("SELECT 5 AS id")
    columns = {"id": "NOT NULL"}
    result = engine.write(rows, there, "overwrite", overwrite_schema=True, columns=columns)
    assert (result.version, result.retries) == (3, 1)
    assert rows_of(there, "id") == [(5,)]


def test_a_check_among_the_properties_holds_for_the_rows_that_come_with_it(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path
) -> None:
    properties = {"delta.constraints.small": "id < 10"}
    rows = small.sql("SELECT 10 AS id")
    refused(
        lambda: engine.write(
            rows, there, "overwrite", overwrite_schema=True, properties=properties
        ),
        "small",
    )
    assert latest_version(path_there) == 1
    rows = small.sql("SELECT 9 AS id")
    engine.write(rows, there, "overwrite", overwrite_schema=True, properties=properties)
    assert latest_version(path_there) == 2
    assert (
        json.loads(commit_of(path_there, 2).info["operationParameters"]["properties"]) == properties
    )
    refused(lambda: engine.write(small.sql("SELECT 10 AS id"), there), "small")
