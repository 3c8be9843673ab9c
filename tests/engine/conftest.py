"""One session for all tiny tables, and the two engines that must agree on them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import for_small_tables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def small(spark: SparkSession) -> SparkSession:
    return for_small_tables(spark)
