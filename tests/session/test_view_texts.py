"""Views whose text is longer than a column of Hive's catalog in Derby."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark.session import view_texts
from dbt.adapters.deltaspark.session.cursor import SessionConnection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

COLUMNS = 1200


@pytest.fixture
def schema(spark: SparkSession) -> Iterator[str]:
    spark.sql("CREATE SCHEMA long_views")
    yield "long_views"
    spark.sql("DROP SCHEMA long_views CASCADE")


def long_query(first: int) -> str:
    columns = ", ".join(f"{first + n} AS a_column_with_a_long_name_{n}" for n in range(COLUMNS))
    query = f"SELECT {columns}"
    assert len(query) > 32_700
    return query


def create(spark: SparkSession, schema: str, number: int) -> None:
    connection = SessionConnection(spark.newSession(), "spark_catalog", schema)
    sql = f"CREATE OR REPLACE VIEW {schema}.v{number} AS {long_query(number)}"
    connection.cursor().execute(sql)


def test_views_of_any_length_are_made_side_by_side_and_replaced(
    spark: SparkSession, schema: str
) -> None:
    spark.sql(f"CREATE VIEW {schema}.short AS SELECT 1 AS x")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: create(spark, schema, number), range(4)))
    create(spark, schema, 0)
    for number in range(4):
        row = spark.table(f"{schema}.v{number}").first()
        assert row is not None
        assert (len(row), row[COLUMNS - 1]) == (COLUMNS, number + COLUMNS - 1)
    assert spark.table(f"{schema}.short").collect() == [(1,)]


def test_another_catalog_is_left_alone(
    monkeypatch: pytest.MonkeyPatch, spark: SparkSession
) -> None:
    monkeypatch.setattr(view_texts, "DERBY", "jdbc:postgresql:")
    assert not view_texts.made_room(spark)
