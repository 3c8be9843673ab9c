"""Shallow clones in the place of a table: CLONE replaces one only when it is empty."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from dbt_common.exceptions import DbtRuntimeError
from pyspark.sql import functions as F

from ..catalog import format_of
from ..engine.delta import noted, session_confs
from ..engine.errors import EngineError, add_note
from ..session import message_of, uninterrupted
from .other_tables import FAILURES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def emptied(spark: SparkSession, table: str | None) -> Iterator[None]:
    """The table without its rows, which it gets back where the clone fails.

    Not where another writer has committed to it since: the error says how to get them then.
    """
    if table is None:
        yield
        return
    if (kind := format_of(spark, table)) != "delta":
        raise DbtRuntimeError(
            f"{table} is a {kind} table, which Delta puts no clone in the place of; nothing was"
            " changed. Drop it, and run dbt clone again"
        )
    with uninterrupted(spark):  # else a cancel could come between the two, and nobody would know
        emptied_in = _emptied(spark, table)
    try:
        yield
    except BaseException as error:
        if emptied_in is not None:
            _give_back(spark, table, emptied_in, error)
        raise


def _emptied(spark: SparkSession, table: str) -> int | None:
    """The version of the commit that took the rows; None where there were none.

    Others may have committed before it and since: it is known by its note.
    """
    return _committed(spark, table, f"DELETE FROM {table}")


def _committed(spark: SparkSession, table: str, statement: str) -> int | None:
    note = f"emptied for a clone: {uuid.uuid4().hex}"
    with session_confs(spark, noted(note)):
        spark.sql(statement)
    history = spark.sql(f"DESCRIBE HISTORY {table} LIMIT 100").where(F.col("userMetadata") == note)
    return next((int(row["version"]) for row in history.select("version").collect()), None)


def _give_back(spark: SparkSession, table: str, emptied_in: int, error: BaseException) -> None:
    """The rows of the version before; where that cannot be, the error says how to get them."""
    restore = _restore(table, emptied_in - 1)
    try:
        with uninterrupted(spark):
            if _is_given_back(spark, table, emptied_in):
                return
    except (*FAILURES, OSError) as failure:
        said = message_of(failure).partition("\n")[0]
        add_note(error, f"{table} was emptied before, and did not get its rows back: {said}")
        add_note(error, f"{restore} may get them.")
        return
    add_note(error, f"Another writer changed {table}, which was emptied before: {restore}")


def _is_given_back(spark: SparkSession, table: str, emptied_in: int) -> bool:
    """False where another writer committed since, also right before the RESTORE, which is undone.

    RESTORE takes the newest version for what it replaces, whichever that is.
    """
    if _version(spark, table) != emptied_in:
        return False
    given_back_in = _committed(spark, table, _restore(table, emptied_in - 1))
    if given_back_in == emptied_in + 1:
        return True
    if given_back_in is not None:
        undone_in = _committed(spark, table, _restore(table, given_back_in - 1))
        if undone_in == given_back_in + 1:
            return False
    raise EngineError(
        f"others wrote to it at the same time, and DESCRIBE HISTORY {table} has their versions"
    )


def _restore(table: str, version: int) -> str:
    return f"RESTORE TABLE {table} TO VERSION AS OF {version}"


def _version(spark: SparkSession, table: str) -> int:
    return int(spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1").collect()[0]["version"])
