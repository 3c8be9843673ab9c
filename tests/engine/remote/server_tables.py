"""Makes tables that a Spark Connect server keeps, and reads what they are then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

COLUMNS = {"id": "NOT NULL"}
THERE = "SELECT * FROM VALUES (1, 'a'), (2, 'b') AS v(id, v)"
NEW = "SELECT * FROM VALUES (3, 'c'), (4, 'd') AS v(id, v)"
WITH_NULL = "SELECT * FROM VALUES (3, 'c'), (cast(null as int), 'd') AS v(id, v)"
REFUSED = "DELTA_NOT_NULL_CONSTRAINT_VIOLATED"


def sql(spark: SparkSession, text: str) -> list[Any]:
    return spark.sql(text).collect()


def make(target: engine.DeltaTarget, rows: str | DataFrame, **given: Any) -> engine.MergeResult:
    """As a model's first run and its full refresh."""
    frame = target.spark.sql(rows) if isinstance(rows, str) else rows
    given = {"columns": COLUMNS, "mode": "overwrite", "overwrite_schema": True, **given}
    return engine.write(frame, target, **given)


def made_by_another(target: engine.DeltaTarget) -> tuple[str, str]:
    """The statements of another writer that makes the same table."""
    columns = f"CREATE OR REPLACE TABLE {target.name} (id INT NOT NULL, v STRING) USING delta"
    return columns, f"INSERT INTO {target.name} {THERE}"


def make_and_fail(target: engine.DeltaTarget, **given: Any) -> list[str]:
    """The notes of the error that a null in a NOT NULL column ends in."""
    with pytest.raises(PySparkException, match=REFUSED) as raised:
        make(target, WITH_NULL, **given)
    return list(getattr(raised.value, "__notes__", []))


def ids(target: engine.DeltaTarget) -> list[int]:
    return sorted(row.id for row in target.spark.table(target.name).select("id").collect())


def newest(target: engine.DeltaTarget) -> int:
    return int(sql(target.spark, f"DESCRIBE HISTORY {target.name} LIMIT 1")[0].version)


def detail(target: engine.DeltaTarget) -> Any:
    return sql(target.spark, f"DESCRIBE DETAIL {target.name}")[0]
