"""Tables made or replaced with definitions of their columns: in force from the first row on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession
    from seed_tables import TableFrom

NAME = "defined_table"


@pytest.fixture
def target(small: SparkSession) -> Iterator[engine.DeltaTarget]:
    yield engine.DeltaTarget.for_name(small, NAME)
    small.sql(f"DROP TABLE IF EXISTS {NAME}")


@pytest.fixture
def path(table_from: TableFrom, tmp_path: Path) -> Path:
    """A table with two rows in two versions."""
    return table_from(
        tmp_path / "target",
        "CREATE TABLE {table} (id INT, v STRING) USING delta",
        "INSERT INTO {table} VALUES (1, 'a'), (2, 'b')",
    )


@pytest.fixture
def there(small: SparkSession, path: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(small, str(path))


def sales(small: SparkSession, rows: str) -> DataFrame:
    return small.sql(f"SELECT * FROM VALUES {rows} AS v(id, price, amount)")


def rows_of(target: engine.DeltaTarget, *columns: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in target.spark.table(target.name).select(*columns).collect())


def folder_of(small: SparkSession, name: str) -> Path:
    from pathlib import Path

    location: str = small.sql(f"DESCRIBE DETAIL {name}").first()["location"]
    return Path(location.removeprefix("file:"))


def nullable(target: engine.DeltaTarget) -> dict[str, bool]:
    return {field.name: field.nullable for field in target.schema()}


def refused(action: Any, *said: str) -> None:
    with pytest.raises(Exception) as raised:
        action()
    assert [text for text in said if text not in str(raised.value)] == []


def test_a_new_table_has_its_columns_as_defined(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    result = engine.write(
        sales(small, "(1, 2, 3), (2, 5, 5)"),
        target,
        columns={
            "ID": "NOT NULL COMMENT 'the key'",
            "total": "INT GENERATED ALWAYS AS (price * amount)",
            "key": "BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 10)",
            "n": "INT DEFAULT 3",
        },
        properties={"team": "ours"},
        cluster_by=["id"],
        comment="what was sold",
        user_metadata="a note",
    )
    assert (result.version, result.route, result.metrics.inserted) == (0, "insert_only", 2)
    assert rows_of(target, "id", "price", "amount", "total", "n") == [
        (1, 2, 3, 6, 3),
        (2, 5, 5, 25, 3),
    ]
    assert {row[0] % 10 for row in rows_of(target, "key")} == {0}
    assert nullable(target)["id"] is False
    assert target.schema()["id"].metadata["comment"] == "the key"
    detail = small.sql(f"DESCRIBE DETAIL {NAME}").first()
    assert (detail["clusteringColumns"], detail["description"]) == (["id"], "what was sold")
    assert detail["properties"]["team"] == "ours"
    folder = folder_of(small, NAME)
    info = commit_of(folder, 0).info
    assert (info["operation"], info["userMetadata"]) == ("CREATE TABLE AS SELECT", "a note")
    assert latest_version(folder) == 0
    refused(lambda: engine.write(sales(small, "(NULL, 1, 1)"), target), "NOT NULL")


@pytest.mark.parametrize(
    ("columns", "rows", "error"),
    [
        ({"id": "NOT NULL"}, "(1, 1, 1), (NULL, 2, 2)", "DELTA_NOT_NULL_CONSTRAINT_VIOLATED"),
        (
            {"amount": "GENERATED ALWAYS AS (price + id)"},
            "(1, 1, 2), (1, 1, 3)",
            "Generated Column",
        ),
        ({"id": "GENERATED ALWAYS AS IDENTITY"}, "(1L, 1, 1)", "AS IDENTITY column id"),
    ],
    ids=["not null", "generated", "identity"],
)
def test_a_first_row_that_breaks_a_definition_leaves_no_table(
    small: SparkSession, target: engine.DeltaTarget, columns: dict[str, str], rows: str, error: str
) -> None:
    refused(lambda: engine.write(sales(small, rows), target, columns=columns), error)
    assert not small.catalog.tableExists(NAME)
    engine.write(sales(small, "(7, 7, 7)"), target, columns={"price": "NOT NULL"})
    assert rows_of(target, "id") == [(7,)]


def test_a_first_row_that_breaks_a_definition_leaves_no_table_elsewhere(
    small: SparkSession, target: engine.DeltaTarget, tmp_path: Path
) -> None:
    folder = tmp_path / "outside"
    arguments: dict[str, Any] = {
        "columns": {"id": "NOT NULL"},
        "properties": {"location": str(folder)},
    }
    with pytest.raises(Exception, match="NOT_NULL"):
        engine.write(sales(small, "(NULL, 2, 2)"), target, **arguments)
    assert not small.catalog.tableExists(NAME)
    engine.write(sales(small, "(1, 2, 2)"), target, **arguments)
    assert (latest_version(folder), rows_of(target, "id")) == (0, [(1,)])
    assert small.sql(f"DESCRIBE EXTENDED {NAME}").filter("data_type = 'EXTERNAL'").count() == 1


def test_a_new_partitioned_table_has_its_columns_as_defined(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    rows = sales(small, "(1, 2, 3), (2, 2, 3)")
    engine.write(rows, target, columns={"price": "NOT NULL"}, partition_by=["id"])
    assert small.sql(f"DESCRIBE DETAIL {NAME}").first()["partitionColumns"] == ["id"]
    assert nullable(target) == {"id": True, "price": False, "amount": True}


def test_a_table_that_is_in_the_folder_already_stays(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(engine.EngineError, match="a Delta table is there already"):
        engine.write(
            small.sql("SELECT 1 AS id, 'a' AS v"),
            target,
            columns={"id": "NOT NULL"},
            properties={"location": str(path)},
        )
    assert not small.catalog.tableExists(NAME)
    assert latest_version(path) == 1


def test_a_table_is_replaced_with_definitions_in_one_commit(
    small: SparkSession, there: engine.DeltaTarget, path: Path
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
    assert (result.version, result.route, latest_version(path)) == (2, "classic", 2)
    assert result.plan.explain() == (
        f"WRITE {there.name}\n"
        "  route: classic (the table is replaced whole, with definitions of its columns)\n"
        "  files: 2 whole and 0 to scan, of 2\n"
        "  pruned by: nothing\n"
        "  steps: 0 kept, 0 given a vector, 0 rewritten, 2 removed whole"
    )
    commit = commit_of(path, 2)
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
    path: Path,
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
    assert latest_version(path) == 1
    assert rows_of(there, "id", "v") == [(1, "a"), (2, "b")]


def test_odd_names_and_comments_of_the_source_are_kept(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    odd = F.lit("x").alias("c.d", metadata={"comment": "it's odd"})
    rows = small.range(1).select(
        F.lit(1).alias("a b"), odd, F.lit(2).alias("e`f"), F.lit(3).alias("select")
    )
    arguments: dict[str, Any] = {
        "columns": {"A B": "NOT NULL", "c.d": "NOT NULL", "new `one`": "INT DEFAULT 4 -- four"},
        "properties": {"delta.columnMapping.mode": "name"},
        "cluster_by": ["a b"],
    }
    engine.write(rows, target, **arguments)
    engine.write(rows, target, "overwrite", overwrite_schema=True, **arguments)
    assert target.schema().names == ["a b", "c.d", "e`f", "select", "new `one`"]
    assert [field.nullable for field in target.schema()] == [False, False, True, True, True]
    assert target.schema()["c.d"].metadata["comment"] == "it's odd"
    assert [tuple(row) for row in small.table(NAME).collect()] == [(1, "x", 2, 3, 4)]
    engine.write(rows, target, cluster_by=["a b"])
    assert small.table(NAME).count() == 2


def test_a_partitioned_table_is_replaced_with_definitions(
    small: SparkSession, there: engine.DeltaTarget, path: Path
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
    assert {add["partitionValues"]["id"] for add in commit_of(path, 2).added} == {"1", "2"}


def test_a_replaced_table_keeps_no_clustering_but_what_is_said(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    engine.write(sales(small, "(1, 2, 3)"), target, cluster_by=["id"])
    rows = sales(small, "(2, 2, 3)")
    columns = {"id": "NOT NULL"}
    engine.write(rows, target, "overwrite", overwrite_schema=True, columns=columns)
    assert small.sql(f"DESCRIBE DETAIL {NAME}").first()["clusteringColumns"] == []
    refused(
        lambda: engine.write(
            rows,
            target,
            "overwrite",
            overwrite_schema=True,
            columns=columns,
            partition_by=["id"],
        ),
        "partitioned",
    )
    assert rows_of(target, "id") == [(2,)]


def test_row_ids_and_changes_go_on_after_a_replacement(
    small: SparkSession, there: engine.DeltaTarget, path: Path
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
    assert [commit_of(path, version).added[0]["baseRowId"] for version in (2, 3)] == [0, 1]
    changes = small.read.option("readChangeFeed", "true").option("startingVersion", 3)
    rows = changes.format("delta").load(str(path)).select("_change_type", "id").collect()
    assert sorted(tuple(row) for row in rows) == [("delete", 1), ("insert", 2)]


def test_a_replacement_that_carries_a_known_idempotency_key_does_nothing(
    small: SparkSession, there: engine.DeltaTarget, path: Path
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
    assert latest_version(path) == 2
    assert rows_of(there, "id") == [(1,)]


def test_a_table_that_is_replaced_by_its_own_rows(
    small: SparkSession, there: engine.DeltaTarget
) -> None:
    rows = small.table(there.name).filter("id = 2")
    engine.write(rows, there, "overwrite", overwrite_schema=True, columns={"v": "NOT NULL"})
    assert rows_of(there, "id", "v") == [(2, "b")]


def test_a_table_that_only_grows_is_not_replaced(
    small: SparkSession, there: engine.DeltaTarget, path: Path
) -> None:
    small.sql(f"ALTER TABLE {there.name} SET TBLPROPERTIES ('delta.appendOnly' = 'true')")
    rows, columns = sales(small, "(1, 2, 3)"), {"id": "NOT NULL"}
    refused(
        lambda: engine.write(rows, there, "overwrite", overwrite_schema=True, columns=columns),
        "DELTA_CANNOT_MODIFY_APPEND_ONLY",
    )
    assert latest_version(path) == 2


def test_another_writer_s_rows_that_come_first_are_replaced_too(
    small: SparkSession, there: engine.DeltaTarget, path: Path, before_our_commit: Any
) -> None:
    before_our_commit(f"INSERT INTO {there.name} VALUES (9, 'z')")
    rows = small.sql("SELECT 5 AS id")
    columns = {"id": "NOT NULL"}
    result = engine.write(rows, there, "overwrite", overwrite_schema=True, columns=columns)
    assert (result.version, result.retries) == (3, 1)
    assert rows_of(there, "id") == [(5,)]


def test_columns_of_a_table_that_stays_are_not_defined_by_a_write(
    small: SparkSession, there: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(engine.SpecError, match=r"id would be defined \(columns\)"):
        engine.write(small.sql("SELECT 1 AS id"), there, columns={"id": "NOT NULL"})
    assert latest_version(path) == 1


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"id": "NOT NULL, b INT"}, "the column id is not understood.*It defines 2 columns"),
        ({"id": "NOT NULL) TBLPROPERTIES ('a' = 'b'"}, "the column id is not understood"),
        ({"id": "INT NOT NULL"}, r"what stands after the type \(INT\)"),
        ({"id": "PRIMARY KEY"}, "has a constraint that Delta does not keep there"),
        ({"id": "CHECK (id > 0)"}, r"as delta\.constraints\.<name>"),
        ({"idd": "NOT NULL"}, "a type first, for the new rows do not have this column"),
    ],
)
def test_a_definition_that_is_not_one_column_s_is_refused(
    small: SparkSession, target: engine.DeltaTarget, columns: dict[str, str], problem: str
) -> None:
    with pytest.raises(engine.SpecError, match=problem):
        engine.write(small.sql("SELECT 1 AS id"), target, columns=columns)
    assert not small.catalog.tableExists(NAME)


def test_a_check_among_the_properties_holds_for_the_rows_that_come_with_it(
    small: SparkSession, there: engine.DeltaTarget, path: Path
) -> None:
    properties = {"delta.constraints.small": "id < 10"}
    rows = small.sql("SELECT 10 AS id")
    refused(
        lambda: engine.write(
            rows, there, "overwrite", overwrite_schema=True, properties=properties
        ),
        "small",
    )
    assert latest_version(path) == 1
    rows = small.sql("SELECT 9 AS id")
    engine.write(rows, there, "overwrite", overwrite_schema=True, properties=properties)
    assert latest_version(path) == 2
    assert json.loads(commit_of(path, 2).info["operationParameters"]["properties"]) == properties
    refused(lambda: engine.write(small.sql("SELECT 10 AS id"), there), "small")
