"""Idempotency keys that a server looks for in the log of a table that takes no row away."""

from __future__ import annotations

import pytest
from server_tables import COLUMNS, NEW, THERE, detail, ids, make, newest, sql

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine import TableDefinition

APPEND_ONLY = {"delta.appendOnly": "true"}


@pytest.fixture
def append_only(target: engine.DeltaTarget) -> engine.DeltaTarget:
    make(target, THERE, columns={}, properties=APPEND_ONLY)
    engine.write(target.spark.sql(NEW), target, idempotency_key="k")
    return target


def altered(target: engine.DeltaTarget, key: str) -> engine.MergeResult:
    """As a run of an append model whose table has another comment."""
    definition = TableDefinition(comment=key)
    with engine.altered(target, definition, idempotency_key=key):
        return engine.write(target.spark.sql(NEW), target, idempotency_key=key)


def test_a_key_that_is_in_the_log_leaves_an_append_only_table_alone(
    append_only: engine.DeltaTarget,
) -> None:
    version = newest(append_only)
    assert altered(append_only, "k").route == "no_op"
    assert (ids(append_only), newest(append_only)) == ([1, 2, 3, 4], version)


def test_a_key_that_is_new_is_no_commit_of_its_own_and_lets_the_write_append(
    append_only: engine.DeltaTarget,
) -> None:
    version = newest(append_only)
    result = altered(append_only, "another")
    assert (result.version, ids(append_only)) == (version + 2, [1, 2, 3, 3, 4, 4])
    assert detail(append_only).description == "another"


@pytest.mark.parametrize(
    "columns",
    [
        "id BIGINT GENERATED ALWAYS AS IDENTITY, v STRING NOT NULL",
        "c CHAR(3), v STRING",
        "s STRUCT<a: ARRAY<INT>>, v STRING, g STRING GENERATED ALWAYS AS (upper(v))",
    ],
)
def test_a_key_is_looked_for_whatever_the_columns_are(
    target: engine.DeltaTarget, columns: str
) -> None:
    sql(
        target.spark,
        f"CREATE TABLE {target.name} ({columns}) USING delta"
        " TBLPROPERTIES ('delta.appendOnly' = 'true')",
    )
    rows = target.spark.sql("SELECT 'a' AS v")
    for changes in (("comment: None -> ours",), ()):
        with engine.altered(
            target, TableDefinition(comment="ours"), idempotency_key="k"
        ) as alteration:
            engine.write(rows, target, idempotency_key="k")
        assert alteration.changes == changes
        sql(target.spark, f"COMMENT ON TABLE {target.name} IS 'theirs'")
    assert [row.v for row in target.spark.table(target.name).collect()] == ["a"]


def test_a_key_that_is_in_the_log_leaves_an_append_only_table_with_defined_columns_alone(
    target: engine.DeltaTarget,
) -> None:
    make(target, THERE, columns=COLUMNS, properties=APPEND_ONLY, idempotency_key="k")
    again = make(target, NEW, columns=COLUMNS, properties=APPEND_ONLY, idempotency_key="k")
    assert (again.route, ids(target)) == ("no_op", [1, 2])
