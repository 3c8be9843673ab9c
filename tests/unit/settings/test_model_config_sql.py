"""The SQL texts that settings turn into."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.catalog.ddl import (
    clauses_of_table,
    clauses_of_view,
    comment_statements,
)
from dbt.adapters.deltaspark.engine.spec import text_literal
from dbt.adapters.deltaspark.settings.table import TableConfig


@pytest.mark.parametrize(
    ("text", "literal"),
    [("it's", r"'it\'s'"), ("${a}", r"'$\{a}'"), (r"a\b", r"'a\\b'"), ('say "no"', "'say \"no\"'")],
)
def test_a_text_is_one_literal(text: str, literal: str) -> None:
    assert text_literal(text) == literal


def test_a_plain_table_has_its_format_and_says_whether_it_has_vectors() -> None:
    plain = TableConfig(file_format="delta", deletion_vectors=False)
    assert clauses_of_table(plain, ["id"]).splitlines() == [
        "using delta",
        "TBLPROPERTIES ('delta.enableDeletionVectors' = 'false')",
    ]


def test_a_table_has_each_clause_that_it_is_given() -> None:
    table = TableConfig(
        partition_by=("day",), properties=(("a", "1"),), location="/lake/t", comment="it's"
    )
    assert clauses_of_table(table, ["id", "day"]).splitlines() == [
        "using delta",
        "PARTITIONED BY (`day`)",
        "LOCATION '/lake/t'",
        r"COMMENT 'it\'s'",
        "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true', 'a' = '1')",
    ]


def test_a_view_lists_all_its_columns_when_one_has_a_comment() -> None:
    table = TableConfig(comment="view", column_comments=(("ID", "key"),))
    assert clauses_of_view(table, ["id", "v"]) == "(`id` comment 'key', `v`) comment 'view'"


def test_only_comments_that_changed_are_written() -> None:
    table = TableConfig(comment="new", column_comments=(("a", "same"), ("B", "other")))
    statements = comment_statements("t", table, "old", {"a": "same", "b": "", "c": "kept"})
    assert statements == [
        "COMMENT ON TABLE t IS 'new'",
        "ALTER TABLE t ALTER COLUMN `b` COMMENT 'other'",
    ]
    assert comment_statements("t", table, "new", {"a": "same", "b": "other"}) == []
