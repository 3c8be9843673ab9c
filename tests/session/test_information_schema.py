"""information_schema, for every statement that reads it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlparse

import pytest

from dbt.adapters.deltaspark.session import served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

SCHEMA = "told_of"
MINE = f"table_schema = '{SCHEMA}'"


@pytest.fixture(scope="module")
def session(spark: SparkSession) -> Iterator[SparkSession]:
    session = spark.newSession()
    session.sql(f"CREATE SCHEMA {SCHEMA}")
    session.sql(
        f"CREATE TABLE {SCHEMA}.orders (id BIGINT NOT NULL COMMENT 'the key',"
        " price DECIMAL(10,2), parts ARRAY<STRUCT<n: INT, `a-b`: INT>>, code VARCHAR(10))"
        " USING delta"
    )
    session.sql(f"CREATE VIEW {SCHEMA}.keys AS SELECT id FROM {SCHEMA}.orders")
    session.sql("CREATE TEMPORARY VIEW passing AS SELECT 1 AS id")
    yield session
    session.sql(f"DROP SCHEMA {SCHEMA} CASCADE")


def damage(session: SparkSession, table: str) -> None:
    """Its log is no JSON any more, and nothing of it is known."""
    detail = session.sql(f"DESCRIBE DETAIL {table}").collect()[0]
    log = Path(urlparse(detail["location"]).path, "_delta_log")
    for file in [*log.glob("*.crc")]:
        file.unlink()
    (log / f"{0:020}.json").write_text("{no json\n")
    session._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()  # type: ignore[union-attr]


def rows(session: SparkSession, query: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in session.sql(served(session, query)).collect()]


def test_schemas_and_their_relations_are_listed(session: SparkSession) -> None:
    assert rows(
        session, f"select * from information_schema.schemata where schema_name = '{SCHEMA}'"
    ) == [("spark_catalog", SCHEMA)]
    assert (
        rows(
            session,
            f"select * from `spark_catalog`.INFORMATION_SCHEMA.`Tables` t where {MINE} order by 3",
        )
        == rows(
            session,
            f'select * from "spark_catalog"."information_schema"."tables" where {MINE} order by 3',
        )
        == [
            ("spark_catalog", SCHEMA, "keys", "VIEW"),
            ("spark_catalog", SCHEMA, "orders", "BASE TABLE"),
        ]
    )


def test_columns_have_their_types_whole(session: SparkSession) -> None:
    names = "column_name, ordinal_position, is_nullable, data_type, full_data_type, comment"
    assert rows(
        session,
        f"select {names} from spark_catalog.information_schema.columns"
        f" where {MINE} and table_name = 'orders' order by ordinal_position",
    ) == [
        ("id", 1, "NO", "BIGINT", "bigint", "the key"),
        ("price", 2, "YES", "DECIMAL", "decimal(10,2)", None),
        ("parts", 3, "YES", "ARRAY", "array<struct<n:int,`a-b`:int>>", None),
        ("code", 4, "YES", "STRING", "varchar(10)", None),
    ]


def test_views_have_their_texts(session: SparkSession) -> None:
    found = rows(
        session, f"select table_name, view_definition from information_schema.views v where {MINE}"
    )
    assert found == [("keys", f"SELECT id FROM {SCHEMA}.orders")]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (
            "select tables.table_name from spark_catalog.information_schema.tables"
            f" where tables.{MINE} and `Tables`.table_type = 'VIEW'",
            "keys",
        ),
        (
            "select columns.column_name from information_schema.columns -- of all tables\n"
            f"where columns.{MINE} and columns.ordinal_position = 2",
            "price",
        ),
        (f"select views.table_name from information_schema.views where views.{MINE}", "keys"),
        (
            "select schemata.schema_name from information_schema.schemata"
            f" where schemata.schema_name = '{SCHEMA}'",
            SCHEMA,
        ),
        (
            "with tables as (select 'keys' as table_name) select tables.table_name from tables"
            f" join information_schema.tables t on t.table_name = tables.table_name where t.{MINE}",
            "keys",
        ),
        (
            f"select tables.id from (select 'keys' as id) as tables where exists (select 1 from"
            f" information_schema.tables where {MINE} and table_name = tables.id)",
            "keys",
        ),
        (
            "select t.table_name from information_schema.tables t join information_schema.views"
            f" on t.table_name = views.table_name where t.{MINE} and views.{MINE}",
            "keys",
        ),
        (
            "select information_schema.tables.table_name from information_schema.tables"
            f" where tables.{MINE} and information_schema.tables.table_type = 'VIEW'",
            "keys",
        ),
    ],
)
def test_a_column_may_have_the_table_s_name_before_it(
    session: SparkSession, query: str, found: str
) -> None:
    assert rows(session, query) == [(found,)]


def test_a_view_whose_table_is_gone_has_no_columns_and_breaks_nothing(
    session: SparkSession,
) -> None:
    session.sql(f"CREATE TABLE {SCHEMA}.gone AS SELECT 1 AS id")
    session.sql(f"CREATE VIEW {SCHEMA}.over_gone AS SELECT * FROM {SCHEMA}.gone")
    session.sql(f"DROP TABLE {SCHEMA}.gone")
    try:
        found = rows(
            session, f"select distinct table_name from information_schema.columns where {MINE}"
        )
        assert sorted(found) == [("keys",), ("orders",)]
    finally:
        session.sql(f"DROP VIEW {SCHEMA}.over_gone")


def test_a_damaged_table_has_no_columns_and_breaks_nothing(session: SparkSession) -> None:
    session.sql(f"CREATE TABLE {SCHEMA}.damaged USING delta AS SELECT 1 AS id")
    damage(session, f"{SCHEMA}.damaged")
    try:
        found = rows(
            session, f"select distinct table_name from information_schema.columns where {MINE}"
        )
        assert sorted(found) == [("keys",), ("orders",)]
        assert ("damaged",) in rows(
            session, f"select table_name from information_schema.tables where {MINE}"
        )
    finally:
        session.sql(f"DROP TABLE {SCHEMA}.damaged")


@pytest.mark.parametrize(
    "text",
    [
        "select 'information_schema.tables' as x",
        "select 1 -- from information_schema.tables",
        "select /* information_schema.tables */ 1",
        'select "information_schema.tables" as x',
        "select * from my.own.information_schema.tables_of_mine",
        "select * from information_schema.routines",
        "select information_schema from values (1) as t(information_schema)",
    ],
)
def test_what_does_not_read_one_of_them_is_left_as_it_is(session: SparkSession, text: str) -> None:
    assert served(session, text) == text


def test_a_schema_of_that_name_is_the_users_own(session: SparkSession) -> None:
    session.sql("CREATE SCHEMA information_schema")
    try:
        text = "select * from information_schema.tables"
        assert served(session, text) == text
    finally:
        session.sql("DROP SCHEMA information_schema CASCADE")


def test_a_schema_of_a_name_that_is_no_plain_one_is_in_no_other_s_way(
    session: SparkSession,
) -> None:
    session.sql("CREATE SCHEMA `2024_sales`")
    session.sql("CREATE TABLE `2024_sales`.orders (id INT) USING delta")
    asked = "select table_schema, table_name from information_schema.tables"
    try:
        found = rows(session, f"{asked} where table_schema in ('2024_sales', '{SCHEMA}')")
    finally:
        session.sql("DROP SCHEMA `2024_sales` CASCADE")
    assert sorted(found) == [("2024_sales", "orders"), (SCHEMA, "keys"), (SCHEMA, "orders")]


@pytest.mark.parametrize(
    "before",
    [r"r'\'", 'R"\\"', "'a''b'", r"'a\''", "/* a /* 'b */ c */ 1", "-- it's \\\n still's\n 1"],
)
def test_it_is_served_behind_texts_and_comments_of_each_kind(
    session: SparkSession, before: str
) -> None:
    query = f"select {before} as a, count(*) as n from information_schema.tables where {MINE}"
    assert rows(session, query)[0][1] == 2


def test_its_name_in_a_text_or_comment_stays(session: SparkSession) -> None:
    named = "information_schema.tables"
    query = f"select r'\\ {named}', /* a /* b */ {named} */ \"{named}\" -- \\\n {named}"
    assert served(session, query) == query
