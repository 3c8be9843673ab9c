"""Texts of several statements: a model's sql_header, and what a project's own strategy runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..engine.delta import cloned, released
from ..session import served, statements_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def statements(sql: str | Sequence[str]) -> list[str]:
    """One by one, without those that are empty or only a comment; of a text or of several."""
    texts = [sql] if isinstance(sql, str) else sql
    return [each.text for text in texts for each in statements_of(text)]


@contextmanager
def headed(spark: SparkSession, header: str | None) -> Iterator[dict[str, str]]:
    """Run sql_header's statements first: the confs that they set, which are put back afterwards."""
    if not header:
        yield {}
        return
    before = dict(spark.conf.getAll)
    try:
        run(spark, header)
        yield _changed_confs(spark, before)
    finally:
        taken_out = before.keys() - dict(spark.conf.getAll).keys()  # by RESET
        for key in filter(spark.conf.isModifiable, [*_changed_confs(spark, before), *taken_out]):
            spark.conf.set(key, before[key]) if key in before else spark.conf.unset(key)


@contextmanager
def after_header(spark: SparkSession, header: str | None) -> Iterator[SparkSession]:
    """A copy of the session after the statements, which are not in the way when they run again."""
    if not header:
        yield spark
        return
    copy = cloned(spark)
    try:
        run(copy, header)
        yield copy
    finally:
        released(copy)


def columns_of(spark: SparkSession, header: str | None, sql: str) -> list[tuple[str, str]]:
    """Names and types of a query's columns, after sql_header's statements."""
    with after_header(spark, header) as session:
        return session.sql(served(session, sql)).dtypes


def run_header(spark: SparkSession, header: str) -> str:
    """Runs the statements, since Spark takes one a text, in the session of the query.

    Returns what is none, but the query's beginning: `with … as (…)`.
    """
    found = statements_of(header)
    begun = [each for each in found[-1:] if each.words[0].lower() == "with" and not each.is_ended]
    for each in found[: len(found) - len(begun)]:
        spark.sql(served(spark, each.text))
    return "".join(each.text for each in begun)


def run(spark: SparkSession, header: str) -> None:
    """In a session that ends with its node, where nothing is put back."""
    for statement in statements(header):
        spark.sql(served(spark, statement))


def _changed_confs(spark: SparkSession, before: Mapping[str, str]) -> dict[str, str]:
    return {key: to for key, to in dict(spark.conf.getAll).items() if before.get(key) != to}
