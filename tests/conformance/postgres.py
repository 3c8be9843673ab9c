"""Postgres' SQL, in which dbt-tests-adapter sets its tables up, in Spark's."""

from __future__ import annotations

import logging

import sqlglot

logging.getLogger("sqlglot").setLevel(logging.ERROR)  # what it cannot read it leaves as it is


def sparks_sql(text: str) -> list[str]:
    """The statements of a text, without defaults, which Delta's ALTER TABLE cannot add."""
    quoted = text if '"' in text else text.replace("`", '"')
    try:
        found = sqlglot.parse(quoted, read="postgres")
    except sqlglot.ParseError:
        return [text]  # written for Spark
    return [_without_defaults(each).sql("spark") for each in found if each is not None]


def _without_defaults(statement: sqlglot.Expression) -> sqlglot.Expression:
    if isinstance(statement, sqlglot.exp.Alter):
        for default in list(statement.find_all(sqlglot.exp.DefaultColumnConstraint)):
            default.parent.pop()
    return statement
