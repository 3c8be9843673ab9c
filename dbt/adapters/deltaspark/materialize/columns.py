"""Columns that dbt-core's macros drop from a table or give another type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import engine
from ..engine.spec import quoted
from ..settings import WIDENS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession


def drop(spark: SparkSession, table: str, names: Sequence[str]) -> None:
    """One commit, before which the table gets column mapping if it has none."""
    target = engine.DeltaTarget.for_name(spark, table)
    with engine.altered(target, engine.TableDefinition(dropped=tuple(names))):
        pass


def retype(spark: SparkSession, table: str, name: str, kind: str) -> None:
    """To a wider type; where Delta refuses the other type the table is as it was."""
    target = engine.DeltaTarget.for_name(spark, table)
    with engine.altered(target, engine.TableDefinition(properties=(WIDENS,))):
        spark.sql(f"ALTER TABLE {table} ALTER COLUMN {quoted(name)} TYPE {kind}")
