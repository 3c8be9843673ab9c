"""A table's rows in an order that does not depend on its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def rows_of(small: SparkSession, table: str, columns: str = "*") -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in small.sql(f"SELECT {columns} FROM {table}").collect())
