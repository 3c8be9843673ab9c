"""Texts of several statements: a model's sql_header, and what a project's own strategy runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import sqlparse
from sqlparse import lexer, tokens

from ..engine.delta import cloned, released
from ..session import served

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def statements(sql: str | Sequence[str]) -> list[str]:
    """One by one, without those that are empty or only a comment; of a text or of several."""
    texts = [sql] if isinstance(sql, str) else sql
    split = [each for text in texts for each in _split(text)]
    return [each.rstrip("; \n") for each in split if {*_words(each)} - {";"}]


def _split(sql: str) -> list[str]:
    """At semicolons alone: sqlparse ends a statement at GO, too, which Spark takes for a name."""
    found: list[str] = []
    for each in sqlparse.split(sql):
        if found and _words(found[-1])[-1:] != [";"]:
            found[-1] = f"{found[-1]}\n{each.strip()}"
        else:
            found.append(each.strip())
    return found


@contextmanager
def headed(spark: SparkSession, header: str | None) -> Iterator[dict[str, str]]:
    """Run sql_header's statements first: the confs that they set, which are put back afterwards."""
    if not header:
        yield {}
        return
    before = dict(spark.conf.getAll)
    try:
        _run(spark, header)
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
        _run(copy, header)
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
    last = (_split(header) or [""])[-1]
    words = _words(last)
    begun = last if words and words[0].lower() == "with" and words[-1] != ";" else ""
    _run(spark, header.rstrip().removesuffix(begun))
    return begun


def _run(spark: SparkSession, header: str) -> None:
    for statement in statements(header):
        spark.sql(served(spark, statement))


def _words(statement: str) -> list[str]:
    """Without comments; by the lexer alone, which takes a statement of any length."""
    found = lexer.tokenize(statement)  # type: ignore[no-untyped-call]
    return [text for kind, text in found if kind not in tokens.Comment and not text.isspace()]


def _changed_confs(spark: SparkSession, before: Mapping[str, str]) -> dict[str, str]:
    return {key: to for key, to in dict(spark.conf.getAll).items() if before.get(key) != to}
