"""Columns that dbt-core's macros add to a table, drop from it or give another type."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql.types import StructType

from .. import engine
from ..catalog import is_delta
from ..column_names import found
from ..engine.spec import quoted
from ..settings import WIDENS, SchemaChange, change_problems, features_of, names_in, odd_names
from .definitions import new_features
from .layouts import problems_of_dropped
from .other_tables import told_if_not_delta
from .strategies import partition_columns
from .tables import check

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pyspark.sql import SparkSession

    from ..settings import ModelConfig


def check_sync(spark: SparkSession, model: ModelConfig, source: str, table: str) -> None:
    """Warns of the table features that on_schema_change will turn on; an error where none may be,
    or where a column can neither go nor get its other type.

    Before dbt-core's macros change the first column.
    """
    if not model.evolves or model.table.file_format != "delta":
        return
    with told_if_not_delta(model, spark, table, refreshes=True):
        target = engine.DeltaTarget.for_name(spark, table)
        change = SchemaChange.between(spark.table(source).schema, target.schema())
        features = [*new_features(model, change, target)]
        kept = replace(model, applies_changes=False)  # the layout changes after the columns
        partitions = partition_columns(target)
    problems = change_problems(model.on_schema_change, change)
    problems += problems_of_dropped(kept, target, partitions, change)
    warnings: list[str] = []
    (warnings if model.may_raise_protocol else problems).extend(features)
    check(model, problems, warnings)


def change(
    spark: SparkSession, table: str, added: Mapping[str, str], dropped: Sequence[str]
) -> None:
    """Columns with their types are added first, others dropped then."""
    if added:
        _add(spark, table, added)
    if dropped:
        _drop(spark, table, dropped)


def _add(spark: SparkSession, table: str, types: Mapping[str, str]) -> None:
    """By ALTER TABLE, before which a Delta table gets what the types and names need."""
    schema = _nulls(spark, types)
    needed = engine.TableDefinition(
        properties=tuple(features_of(schema).items()),
        maps_columns=bool(odd_names(names_in(schema))),
    )
    target = engine.DeltaTarget.for_name(spark, table)
    columns = ", ".join(f"{quoted(name)} {kind}" for name, kind in types.items())
    with engine.altered(target, needed) if is_delta(spark, table) else nullcontext():
        spark.sql(f"ALTER TABLE {table} ADD COLUMNS ({columns})").collect()


def _nulls(spark: SparkSession, types: Mapping[str, str]) -> StructType:
    """Columns of these types."""
    nulls = ", ".join(f"CAST(NULL AS {kind}) AS {quoted(name)}" for name, kind in types.items())
    return spark.sql(f"SELECT {nulls}").schema


def _drop(spark: SparkSession, table: str, names: Sequence[str]) -> None:
    """One commit, before which the table gets column mapping if it has none."""
    target = engine.DeltaTarget.for_name(spark, table)
    with engine.altered(target, engine.TableDefinition(dropped=tuple(names))):
        pass


def retype(spark: SparkSession, table: str, name: str, kind: str) -> None:
    """To a wider type, or to its first; where Delta refuses it the table is as it was."""
    target, new = engine.DeltaTarget.for_name(spark, table), _nulls(spark, {name: kind})
    old = [field for field in target.schema() if found(field.name, [name])]
    change = SchemaChange.between(new, StructType(old))
    if not change:  # the column is of nulls alone this time
        return
    widens = () if all(each.had_no_type for each in change.retyped) else (WIDENS,)
    needed = (*features_of(new).items(), *widens)
    with engine.altered(target, engine.TableDefinition(properties=needed)):
        spark.sql(f"ALTER TABLE {table} ALTER COLUMN {quoted(name)} TYPE {kind}")
