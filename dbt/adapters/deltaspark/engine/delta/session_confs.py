"""Confs of a session that hold for a while, embedded and over Spark Connect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def session_confs(spark: SparkSession, values: Mapping[str, str]) -> Iterator[None]:
    """Set within, and afterwards as they were; a dbt thread has a session of its own."""
    before = {name: spark.conf.get(name, None) for name in values}
    for name, value in values.items():
        spark.conf.set(name, value)
    try:
        yield
    finally:
        for name, old in before.items():
            spark.conf.unset(name) if old is None else spark.conf.set(name, old)
