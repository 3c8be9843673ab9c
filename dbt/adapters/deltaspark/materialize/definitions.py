"""What a table that is there becomes before a write, and what is said of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import engine
from ..catalog import lies_in, location_of
from ..settings import new_feature, reader_features, sync_properties

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..settings import ModelConfig, SchemaChange


def defined_and_written(
    model: ModelConfig,
    target: engine.DeltaTarget,
    definition: engine.TableDefinition,
    write: Callable[[engine.Alteration], engine.MergeResult],
) -> engine.MergeResult:
    """The table as the definition says, and the write into it; its version or else the former's."""
    retries, note = model.conflict_retries, model.user_metadata
    with engine.altered(
        target, definition, conflict_retries=retries, user_metadata=note
    ) as alteration:
        result = write(alteration)
    return result if result.version is not None else replace(result, version=alteration.version)


def definition_of(
    model: ModelConfig, columns: Sequence[str], change: SchemaChange
) -> engine.TableDefinition:
    """What the table of these columns must become before the write."""
    mode = model.on_schema_change
    dropped = change.removed if mode == "sync_all_columns" else ()
    properties = sync_properties(mode, change)
    if model.applies_changes:
        return model.table.definition(columns, dropped, properties)
    return engine.TableDefinition(properties=tuple(properties.items()), dropped=dropped)


def new_features(
    model: ModelConfig, change: SchemaChange, target: engine.DeltaTarget
) -> Iterator[str]:
    """What sync_all_columns turns on that readers of the table must know, or would turn on."""
    needed = reader_features(model.on_schema_change, change)
    if not needed:
        return
    details = target.spark.sql(f"DESCRIBE DETAIL {target.name}").collect()[0]
    for feature in sorted(needed.keys() - {*details["tableFeatures"]}):
        yield new_feature(feature, needed[feature], allowed=model.may_raise_protocol)


def other_location(model: ModelConfig, spark: SparkSession, name: str) -> list[str]:
    """A table stays where it is, whatever location_root says."""
    location = model.table.location
    found = "" if location is None else location_of(spark, name)
    if location is None or not found or lies_in(found, location):
        return []
    return [
        f"location_root puts the table into {location}, and it is in {found}; it stays there until"
        " it is dropped and made anew"
    ]
