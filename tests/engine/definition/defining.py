"""Rows for tables whose columns are defined, and what the tables are then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from dbt.adapters.deltaspark import engine

NAME = "defined_table"


def sales(small: SparkSession, rows: str) -> DataFrame:
    return small.sql(f"SELECT * FROM VALUES {rows} AS v(id, price, amount)")


def rows_of(target: engine.DeltaTarget, *columns: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in target.spark.table(target.name).select(*columns).collect())


def nullable(target: engine.DeltaTarget) -> dict[str, bool]:
    return {field.name: field.nullable for field in target.schema()}


def refused(action: Any, *said: str) -> None:
    with pytest.raises(Exception) as raised:
        action()
    assert [text for text in said if text not in str(raised.value)] == []
