"""A view, or a table of another format, under a model's name: it gives way to a whole table."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dbt_common.exceptions import DbtRuntimeError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .. import engine
from ..catalog import format_of
from ..engine.errors import add_note
from ..engine.spec import quoted
from ..settings import name_parts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..settings import ModelConfig

FAILURES = (PySparkException, Py4JError, engine.EngineError)


def delta_made(
    spark: SparkSession, name: str, make: Callable[[str], engine.MergeResult]
) -> engine.MergeResult:
    """What `make` answers for the name; a table there that is not Delta's gives way to its table.

    After an error the old table is as it was: Delta refuses it before a row is read.
    """
    try:
        return make(name)
    except FAILURES:
        if _other_format(spark, name) is None:
            raise
    return made_beside(spark, name, make)


def made_beside(
    spark: SparkSession, name: str, make: Callable[[str], engine.MergeResult]
) -> engine.MergeResult:
    """The table made under another name, which it changes for this one when the old table is gone.

    Not for one whose partitions the catalog has, with folders, in a folder of the catalog's own.
    """
    beside, last = name_beside(name)
    try:
        result = make(beside)
    except FAILURES as error:
        add_note(error, f"{name}, in whose place {beside} was to come, is as it was.")
        raise
    spark.sql(f"DROP TABLE {name}")
    try:
        spark.sql(f"ALTER TABLE {beside} RENAME TO {last}")
    except FAILURES as error:
        add_note(error, f"The new rows are in {beside}, and {name} is gone: rename that table.")
        raise
    return result


def name_beside(name: str) -> tuple[str, str]:
    """A name that no table has in the same schema, and the last part of the given one."""
    *schema, last = name_parts(name)
    fresh = f"{last}__dbt_{uuid.uuid4().hex[:8]}"
    return ".".join(map(quoted, [*schema, fresh])), quoted(last)


@contextmanager
def view_aside(spark: SparkSession, name: str) -> Iterator[None]:
    """The view has another name until the table is made; after an error it has its own again."""
    if not spark.catalog.tableExists(name):  # a pre-hook dropped it
        yield
        return
    beside, last = name_beside(name)
    spark.sql(f"ALTER VIEW {name} RENAME TO {quoted(name_parts(beside)[-1])}")
    try:
        yield
    except BaseException as error:
        try:
            spark.sql(f"ALTER VIEW {beside} RENAME TO {last}")
        except (*FAILURES, OSError) as failure:
            add_note(error, f"The view {name} is {beside} now: rename it ({failure}).")
        raise
    spark.sql(f"DROP VIEW {beside}")


@contextmanager
def told_if_not_delta(
    model: ModelConfig, spark: SparkSession, name: str, *, refreshes: bool
) -> Iterator[None]:
    """An error on a table that is not Delta's says so, and what to do; `refreshes` says whether
    --full-refresh would make it anew.
    """
    try:
        yield
    except FAILURES as error:
        found = _other_format(spark, name)
        if found is None:
            raise
        ways = ["Run the model with --full-refresh to make it anew"] if refreshes else []
        if found == "parquet":
            ways.append(f"CONVERT TO DELTA {name} keeps its rows")
        ways = ways or ["Make a Delta table of its rows under that name"]
        raise DbtRuntimeError(
            f"{model.label}: {name} is a {found} table, and file_format is delta; nothing was"
            f" written. {'. '.join(ways)}."
        ) from error


def _other_format(spark: SparkSession, name: str) -> str | None:
    """That of a table which is not Delta's; None also where Spark does not answer any more."""
    try:
        found = format_of(spark, name)
    except (*FAILURES, OSError):
        return None
    return None if found == "delta" else found
