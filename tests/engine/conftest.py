"""One session for all tiny tables, and the two engines that must agree on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import for_small_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def small(spark: SparkSession) -> SparkSession:
    return for_small_tables(spark)


@pytest.fixture(autouse=True)
def forgotten_tables(small: SparkSession) -> Iterator[None]:
    """Delta keeps the log of every table it saw, with its plans: hundreds of tables fill a heap."""
    yield
    small._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
