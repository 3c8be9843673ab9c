"""What a table that is there becomes before a write, and what is said of that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .. import engine
from ..catalog import lies_in, location_of
from ..settings import (
    as_properties,
    features_of_change,
    mapping_for,
    new_feature,
    new_feature_of_type,
    odd_names_of_change,
    reader_features,
    sync_properties,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..settings import ModelConfig, SchemaChange


def defined_and_written(
    model: ModelConfig,
    target: engine.DeltaTarget,
    definition: engine.TableDefinition,
    write: Callable[[engine.Alteration], engine.MergeResult],
    idempotency_key: str | None = None,
) -> engine.MergeResult:
    """The table as the definition says, and the write into it; its version or else the former's.

    The key is that of the write: where it is in the table's log neither is done.
    """
    retries, note = model.conflict_retries, model.user_metadata
    with engine.altered(
        target,
        definition,
        conflict_retries=retries,
        user_metadata=note,
        idempotency_key=idempotency_key,
    ) as alteration:
        result = write(alteration)
    return result if result.version is not None else replace(result, version=alteration.version)


def definition_of(
    model: ModelConfig, columns: Sequence[str], change: SchemaChange, *, grows: bool | None = None
) -> engine.TableDefinition:
    """What the table of these columns must become before the write; it grows as the model says."""
    mode = model.on_schema_change
    dropped = change.removed if mode == "sync_all_columns" else ()
    may_grow = model.evolves if grows is None else grows
    of_types = _features_of_types(model, change) if may_grow else {}
    properties = {**sync_properties(mode, change), **as_properties([*of_types])}
    if model.applies_changes:
        wanted = model.table.definition(columns, dropped, properties)
    else:
        wanted = engine.TableDefinition(properties=tuple(properties.items()), dropped=dropped)
    return replace(wanted, maps_columns=bool(may_grow and odd_names_of_change(change)))


def new_features(
    model: ModelConfig,
    change: SchemaChange,
    target: engine.DeltaTarget,
    *,
    grows: bool | None = None,
) -> Iterator[str]:
    """What sync_all_columns, or a new column, turns on that readers must know, or would."""
    needed = reader_features(model.on_schema_change, change)
    may_grow = model.evolves if grows is None else grows
    of_types = _features_of_types(model, change) if may_grow else {}
    odd = odd_names_of_change(change) if may_grow else []
    if not (needed or of_types or odd):
        return
    details = target.spark.sql(f"DESCRIBE DETAIL {target.name}").collect()[0]
    known, allowed = {*details["tableFeatures"]}, model.may_raise_protocol
    for feature in sorted(needed.keys() - known):
        yield new_feature(feature, needed[feature], allowed=allowed)
    for feature in sorted(of_types.keys() - known):
        yield new_feature_of_type(feature, of_types[feature], allowed=allowed)
    if odd and "columnMapping" not in known:
        yield mapping_for(odd, allowed=allowed)


def _features_of_types(model: ModelConfig, change: SchemaChange) -> dict[str, list[str]]:
    return features_of_change(change, retypes=model.on_schema_change == "sync_all_columns")


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
