"""Shallow clones in the place of a table: CLONE replaces one only when it is empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..engine.errors import add_note

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
    before = _version(spark, table)
    spark.sql(f"DELETE FROM {table}")
    emptied_in = _version(spark, table)
    try:
        yield
    except BaseException as error:
        if emptied_in == before:
            raise
        restore = f"RESTORE TABLE {table} TO VERSION AS OF {emptied_in - 1}"
        if _version(spark, table) == emptied_in:
            spark.sql(restore)
        else:
            add_note(error, f"Another writer changed {table}, which was emptied before: {restore}")
        raise


def _version(spark: SparkSession, table: str) -> int:
    return int(spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1").collect()[0]["version"])
