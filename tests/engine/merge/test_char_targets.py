"""Merges and writes whose conditions read a CHAR column of the table, which Spark pads."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

SOURCE = "(SELECT * FROM VALUES ('ab  ', 10), ('zz', 13) AS v(k, n)) s"
STATEMENTS: dict[str, tuple[str, list[tuple[str, int]]]] = {
    "a key": (
        "ON t.k = s.k WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT *",
        [("ab  ", 10), ("b   ", 2), ("zz  ", 13)],
    ),
    "a key of inserts": (
        "ON t.k = s.k WHEN NOT MATCHED THEN INSERT *",
        [("ab  ", 1), ("b   ", 2), ("zz  ", 13)],
    ),
    "a constant": (
        "ON t.k = s.k AND t.k = 'ab' WHEN MATCHED THEN DELETE",
        [("b   ", 2)],
    ),
    "a value": (
        "ON t.k = s.k WHEN MATCHED THEN UPDATE SET k = concat(rtrim(t.k), 'x')",
        [("abx ", 1), ("b   ", 2)],
    ),
    "rows without a source": (
        "ON t.k = s.k WHEN NOT MATCHED BY SOURCE AND t.k < 'c' THEN UPDATE SET n = -t.n",
        [("ab  ", 1), ("b   ", -2)],
    ),
}


@pytest.fixture(params=["true", "false"], ids=["vectors", "no vectors"])
def table(request: pytest.FixtureRequest, small: SparkSession) -> Iterator[str]:
    name = f"char_{uuid.uuid4().hex}"
    vectors = f"'delta.enableDeletionVectors' = '{request.param}'"
    small.sql(f"CREATE TABLE {name} (k CHAR(4), n INT) USING delta TBLPROPERTIES ({vectors})")
    small.sql(f"INSERT INTO {name} VALUES ('ab', 1), ('b', 2)")
    yield name
    small.sql(f"DROP TABLE {name}")


@pytest.mark.parametrize(("clauses", "left"), STATEMENTS.values(), ids=STATEMENTS)
def test_a_merge_text_reads_the_column_padded(
    small: SparkSession, table: str, clauses: str, left: list[tuple[str, int]]
) -> None:
    result = engine.merge_into(small, f"MERGE INTO {table} t USING {SOURCE} {clauses}")
    assert rows_of(small, table) == left
    assert result.route != "native"


def test_a_merge_text_below_with_reads_the_column_padded(small: SparkSession, table: str) -> None:
    engine.merge_into(
        small,
        f"WITH w AS (SELECT 'b   ' AS k, 20 AS n) MERGE INTO {table} t USING w ON t.k = w.k"
        " WHEN MATCHED THEN UPDATE SET *",
    )
    assert rows_of(small, table) == [("ab  ", 1), ("b   ", 20)]


def test_a_frame_is_merged_by_a_padded_key(small: SparkSession, table: str) -> None:
    source = small.sql("SELECT k, n + 20 AS n FROM VALUES ('zz', 3) AS v(k, n)").union(
        small.table(table).selectExpr("k", "n + 100")
    )
    merge = engine.DeltaTarget.for_name(small, table).merge(
        source, "t.k = s.k", source_alias="s", target_alias="t"
    )
    merge.when_matched_update_all().when_not_matched_insert_all().execute()
    assert rows_of(small, table) == [("ab  ", 101), ("b   ", 102), ("zz  ", 23)]


def test_texts_that_another_writer_did_not_pad_are_keys_as_they_are_read(
    small: SparkSession, table: str
) -> None:
    session = small.newSession()
    session.conf.set("spark.sql.legacy.charVarcharAsString", "true")
    session.sql(f"INSERT INTO {table} VALUES ('c', 3)")
    engine.merge_into(
        small,
        f"MERGE INTO {table} t USING (SELECT 'c   ' AS k, 30 AS n) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT *",
    )
    assert rows_of(small, table) == [("ab  ", 1), ("b   ", 2), ("c   ", 30)]


def test_rows_are_replaced_by_a_padded_key(small: SparkSession, table: str) -> None:
    rows = small.sql("SELECT 'b   ' AS k, 20 AS n")
    target = engine.DeltaTarget.for_name(small, table)
    engine.write(rows, target, "overwrite", replace_using=["k"])
    assert rows_of(small, table) == [("ab  ", 1), ("b   ", 20)]


def rows_of(spark: SparkSession, table: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in spark.table(table).orderBy("k").collect()]
