"""Texts of several statements: a model's sql_header, and what a project's own strategy runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import sqlparse

from ..engine.delta import cloned, released
from ..session import served

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def statements(sql: str | Sequence[str]) -> list[str]:
    """One by one, without those that are empty or only a comment; of a text or of several."""
    texts = [sql] if isinstance(sql, str) else sql
    split = [each.rstrip("; \n") for text in texts for each in sqlparse.split(text)]
    return [each for each in split if sqlparse.format(each, strip_comments=True).strip("; \n")]


@contextmanager
def headed(spark: SparkSession, header: str | None) -> Iterator[None]:
    """Run sql_header's statements first; the confs that they set are put back afterwards."""
    if not header:
        yield
        return
    before = dict(spark.conf.getAll)
    try:
        for statement in statements(header):
            spark.sql(served(spark, statement))
        yield
    finally:
        _restore_confs(spark, before)


def columns_of(spark: SparkSession, header: str | None, sql: str) -> list[tuple[str, str]]:
    """Names and types of a query's columns, after sql_header's statements.

    Those run in a copy of the session: what they make there is not in the way when the model runs.
    """
    if not header:
        return spark.sql(served(spark, sql)).dtypes
    copy = cloned(spark)
    try:
        for statement in statements(header):
            copy.sql(served(copy, statement))
        return copy.sql(served(copy, sql)).dtypes
    finally:
        released(copy)


def _restore_confs(spark: SparkSession, before: Mapping[str, str]) -> None:
    for key, value in dict(spark.conf.getAll).items():
        if before.get(key) != value and spark.conf.isModifiable(key):
            spark.conf.set(key, before[key]) if key in before else spark.conf.unset(key)
