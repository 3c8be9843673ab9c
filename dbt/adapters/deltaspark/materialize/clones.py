"""Shallow clones in the place of a table: CLONE replaces one only when it is empty."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def emptied(spark: SparkSession, table: str | None) -> Iterator[None]:
    """The table without its rows, which it gets back where the clone fails."""
    if table is None:
        yield
        return
    history = spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1")
    version = history.collect()[0]["version"]
    spark.sql(f"DELETE FROM {table}")
    try:
        yield
    except BaseException:
        spark.sql(f"RESTORE TABLE {table} TO VERSION AS OF {version}")
        raise
