"""Columns that dbt-core's macros drop from a table or give another type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .. import engine
from ..engine.spec import quoted
from ..settings import WIDENS, SchemaChange
from .definitions import new_features
from .other_tables import told_if_not_delta
from .tables import check

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from ..settings import ModelConfig


def check_sync(spark: SparkSession, model: ModelConfig, source: str, table: str) -> None:
    """Warns of the table features that sync_all_columns will turn on; an error where none may be.

    Before dbt-core's macros change the first column.
    """
    if model.on_schema_change != "sync_all_columns" or model.table.file_format != "delta":
        return
    with told_if_not_delta(model, spark, table, refreshes=True):
        target = engine.DeltaTarget.for_name(spark, table)
        change = SchemaChange.between(spark.table(source).schema, target.schema())
        features = [*new_features(model, change, target)]
    allowed = model.may_raise_protocol
    check(model, [] if allowed else features, features if allowed else [])


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
