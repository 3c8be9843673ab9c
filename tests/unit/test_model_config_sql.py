"""The SQL texts that settings turn into."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.ddl import (
    comment_statements,
    table_clauses,
    view_clauses,
)
from dbt.adapters.deltaspark.engine.spec import text_literal
from dbt.adapters.deltaspark.model_config import TableConfig
from dbt.adapters.deltaspark.snapshot_config import snapshot_spec

COLUMNS = {"dbt_scd_id": "scd", "dbt_valid_to": "till"}


@pytest.mark.parametrize(
    ("text", "literal"),
    [("it's", r"'it\'s'"), (r"a\b", r"'a\\b'"), ('say "no"', "'say \"no\"'")],
)
def test_a_text_is_one_literal(text: str, literal: str) -> None:
    assert text_literal(text) == literal


def test_a_plain_table_has_only_its_format() -> None:
    assert table_clauses(TableConfig(), ["id"]) == "using delta"


def test_a_table_has_each_clause_that_it_is_given() -> None:
    table = TableConfig(
        partition_by=("day",), properties=(("a", "1"),), location="/lake/t", comment="it's"
    )
    assert table_clauses(table, ["id", "day"]).splitlines() == [
        "using delta",
        "partitioned by (`day`)",
        "location '/lake/t'",
        r"comment 'it\'s'",
        "tblproperties ('a' = '1')",
    ]


def test_a_view_lists_all_its_columns_when_one_has_a_comment() -> None:
    table = TableConfig(comment="view", column_comments=(("ID", "key"),))
    assert view_clauses(table, ["id", "v"]) == "(`id` comment 'key', `v`) comment 'view'"


def test_only_comments_that_changed_are_written() -> None:
    table = TableConfig(comment="new", column_comments=(("a", "same"), ("B", "other")))
    statements = comment_statements("t", table, "old", {"a": "same", "b": "", "c": "kept"})
    assert statements == [
        "COMMENT ON TABLE t IS 'new'",
        "ALTER TABLE t ALTER COLUMN `b` COMMENT 'other'",
    ]
    assert comment_statements("t", table, "new", {"a": "same", "b": "other"}) == []


def test_a_snapshot_inserts_the_model_and_not_the_staging_columns() -> None:
    source = ["dbt_change_type", "id", "scd", "till", "dbt_unique_key_1", "dbt_unique_key_2"]
    spec = snapshot_spec({"columns": COLUMNS}, source, ["id", "scd", "till"])
    assert [column for column, _ in spec.not_matched[0].assignments] == ["`id`", "`scd`", "`till`"]
    assert not spec.evolve_schema


def test_a_snapshot_adds_the_columns_that_are_new() -> None:
    spec = snapshot_spec({"columns": COLUMNS}, ["id", "scd", "till", "new"], ["id", "scd", "till"])
    assert spec.evolve_schema


def test_a_snapshot_closes_rows_that_are_open_or_end_in_the_far_future() -> None:
    facts = {"columns": COLUMNS, "valid_to_current": "date'9999-12-31'"}
    condition = snapshot_spec(facts, ["id"], ["id"]).matched[0].condition
    assert condition == (
        "(DBT_INTERNAL_DEST.`till` IS NULL OR DBT_INTERNAL_DEST.`till` = date'9999-12-31')"
        " AND DBT_INTERNAL_SOURCE.dbt_change_type IN ('update', 'delete')"
    )
