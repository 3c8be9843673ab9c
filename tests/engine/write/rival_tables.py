"""A table as another writer makes it, and the rows of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RIVAL = "CREATE TABLE {} USING delta AS SELECT 100 AS id, 'theirs' AS v"


def ours(small: SparkSession) -> DataFrame:
    return small.sql("SELECT 1 AS id, 'ours' AS v")
