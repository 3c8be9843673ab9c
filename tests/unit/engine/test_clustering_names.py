"""Columns and fields of a clustering: Delta's texts, our names, SQL."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.engine.definition.clustering_names import (
    clustering_column,
    clustering_names,
    clustering_text,
)


@pytest.mark.parametrize(
    ("of_delta", "name", "sql", "column"),
    [
        ("id", "id", "`id`", "id"),
        ("`a.b`", "a.b", "`a.b`", "a.b"),
        ("`a``b`", "a`b", "`a``b`", "a`b"),
        ("address.city", "`address`.`city`", "`address`.`city`", "address"),
        ("`my home`.in.`p.q`", "`my home`.`in`.`p.q`", "`my home`.`in`.`p.q`", "my home"),
    ],
)
def test_a_name_is_plain_for_a_column_and_sql_for_a_field(
    of_delta: str, name: str, sql: str, column: str
) -> None:
    assert clustering_names([of_delta]) == (name,)
    assert (clustering_text(name), clustering_column(name)) == (sql, column)
