"""Tables made with definitions of their columns: in force from the first row on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version
from defining import NAME, nullable, refused, rows_of, sales
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


def folder_of(small: SparkSession, name: str) -> Path:
    from pathlib import Path

    location: str = small.sql(f"DESCRIBE DETAIL {name}").first()["location"]
    return Path(location.removeprefix("file:"))


def test_a_new_table_has_its_columns_as_defined(
    small: SparkSession, defined: engine.DeltaTarget
) -> None:
    result = engine.write(
        sales(small, "(1, 2, 3), (2, 5, 5)"),
        defined,
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
    assert rows_of(defined, "id", "price", "amount", "total", "n") == [
        (1, 2, 3, 6, 3),
        (2, 5, 5, 25, 3),
    ]
    assert {row[0] % 10 for row in rows_of(defined, "key")} == {0}
    assert nullable(defined)["id"] is False
    assert defined.schema()["id"].metadata["comment"] == "the key"
    detail = small.sql(f"DESCRIBE DETAIL {NAME}").first()
    assert (detail["clusteringColumns"], detail["description"]) == (["id"], "what was sold")
    assert detail["properties"]["team"] == "ours"
    folder = folder_of(small, NAME)
    info = commit_of(folder, 0).info
    assert (info["operation"], info["userMetadata"]) == ("CREATE TABLE AS SELECT", "a note")
    assert latest_version(folder) == 0
    refused(lambda: engine.write(sales(small, "(NULL, 1, 1)"), defined), "NOT NULL")


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
    small: SparkSession, defined: engine.DeltaTarget, columns: dict[str, str], rows: str, error: str
) -> None:
    refused(lambda: engine.write(sales(small, rows), defined, columns=columns), error)
    assert not small.catalog.tableExists(NAME)
    engine.write(sales(small, "(7, 7, 7)"), defined, columns={"price": "NOT NULL"})
    assert rows_of(defined, "id") == [(7,)]


def test_a_first_row_that_breaks_a_definition_leaves_no_table_elsewhere(
    small: SparkSession, defined: engine.DeltaTarget, tmp_path: Path
) -> None:
    folder = tmp_path / "outside"
    arguments: dict[str, Any] = {
        "columns": {"id": "NOT NULL"},
        "properties": {"location": str(folder)},
    }
    with pytest.raises(Exception, match="NOT_NULL"):
        engine.write(sales(small, "(NULL, 2, 2)"), defined, **arguments)
    assert not small.catalog.tableExists(NAME)
    engine.write(sales(small, "(1, 2, 2)"), defined, **arguments)
    assert (latest_version(folder), rows_of(defined, "id")) == (0, [(1,)])
    assert small.sql(f"DESCRIBE EXTENDED {NAME}").filter("data_type = 'EXTERNAL'").count() == 1


@pytest.mark.parametrize("columns", [{"id": "NOT NULL"}, {}], ids=["defined", "plain"])
def test_a_relative_location_lies_in_the_warehouse_and_is_the_same_when_it_is_replaced(
    small: SparkSession, defined: engine.DeltaTarget, columns: dict[str, str]
) -> None:
    given = f"a lake/relative {len(columns)}"
    arguments: dict[str, Any] = {"columns": columns, "properties": {"location": given}}
    engine.write(sales(small, "(1, 2, 2)"), defined, **arguments)
    replaces: dict[str, Any] = {"mode": "overwrite", "overwrite_schema": True, **arguments}
    engine.write(sales(small, "(2, 2, 2)"), defined, **replaces)
    assert rows_of(defined, "id") == [(2,)]
    detail = small.sql(f"DESCRIBE DETAIL {NAME}").first()
    assert detail["location"].endswith(f"/warehouse/{given}")


def test_a_new_partitioned_table_has_its_columns_as_defined(
    small: SparkSession, defined: engine.DeltaTarget
) -> None:
    rows = sales(small, "(1, 2, 3), (2, 2, 3)")
    engine.write(rows, defined, columns={"price": "NOT NULL"}, partition_by=["id"])
    assert small.sql(f"DESCRIBE DETAIL {NAME}").first()["partitionColumns"] == ["id"]
    assert nullable(defined) == {"id": True, "price": False, "amount": True}


def test_a_table_that_is_in_the_folder_already_stays(
    small: SparkSession, defined: engine.DeltaTarget, path_there: Path
) -> None:
    with pytest.raises(engine.EngineError, match="a Delta table is there already"):
        engine.write(
            small.sql("SELECT 1 AS id, 'a' AS v"),
            defined,
            columns={"id": "NOT NULL"},
            properties={"location": str(path_there)},
        )
    assert not small.catalog.tableExists(NAME)
    assert latest_version(path_there) == 1


def test_odd_names_and_comments_of_the_source_are_kept(
    small: SparkSession, defined: engine.DeltaTarget
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
    engine.write(rows, defined, **arguments)
    engine.write(rows, defined, "overwrite", overwrite_schema=True, **arguments)
    assert defined.schema().names == ["a b", "c.d", "e`f", "select", "new `one`"]
    assert [field.nullable for field in defined.schema()] == [False, False, True, True, True]
    assert defined.schema()["c.d"].metadata["comment"] == "it's odd"
    assert [tuple(row) for row in small.table(NAME).collect()] == [(1, "x", 2, 3, 4)]
    engine.write(rows, defined, cluster_by=["a b"])
    assert small.table(NAME).count() == 2


def test_columns_of_a_table_that_stays_are_not_defined_by_a_write(
    small: SparkSession, there: engine.DeltaTarget, path_there: Path
) -> None:
    with pytest.raises(engine.SpecError, match=r"id would be defined \(columns\)"):
        engine.write(small.sql("SELECT 1 AS id"), there, columns={"id": "NOT NULL"})
    assert latest_version(path_there) == 1


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
    small: SparkSession, defined: engine.DeltaTarget, columns: dict[str, str], problem: str
) -> None:
    with pytest.raises(engine.SpecError, match=problem):
        engine.write(small.sql("SELECT 1 AS id"), defined, columns=columns)
    assert not small.catalog.tableExists(NAME)
