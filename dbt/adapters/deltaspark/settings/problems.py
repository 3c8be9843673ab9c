"""Everything wrong between a model's settings and the columns on both sides, to be told at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import StructType

from ..column_names import found
from ..engine.text_lengths import STRING
from . import scd2 as scd2_settings
from .batches import window_problems
from .config_reader import not_produced
from .hidden_metadata import hidden_in_change, problems_of_hidden
from .merge_problems import clause_problems, key_problems, merge_problems, predicate_problems
from .model import read_incremental, read_table
from .schema_change import SchemaChange, change_problems, warnings_of_change
from .snapshot import QUERY, read_snapshot
from .statistics_columns import problems_of_statistics
from .table import problems_of_new_columns, table_problems, warnings_of_comments

if TYPE_CHECKING:
    from .model import ModelConfig
    from .snapshot import Columns, SnapshotSettings
    from .table import TableConfig


VOID = re.compile(r'[tT]ype":"void"')
"""In the JSON of a column, or of a field or an element within it."""
UNTYPED = re.compile(r"(?:,|\b(?:select|distinct))\s*\bnull\s+as\b", re.IGNORECASE)
"""A null that is given a name, and not a type by a cast."""


def early_problems(spec: Mapping[str, Any], *, strict: bool) -> list[str]:
    """What is wrong with a node of any kind before its columns are known."""
    model = (read_incremental if "custom_strategies" in spec else read_table)(spec)
    of_snapshot = read_snapshot(spec).problems if "meta_columns" in spec else ()
    return [*(model.made_strict if strict else model).problems, *of_snapshot]


def problems_of_first_run(model: ModelConfig, source: StructType) -> list[str]:
    """What must hold whenever the model runs."""
    names = source.names
    written = scd2_settings.written(model.history) if model.history else ()
    return [
        *model.problems,
        *table_problems(model.table, [*names, *written]),
        *key_problems(model, names),
        *predicate_problems(model),
        *not_produced("replace_on", model.replace_on, names),
        *clause_problems(model, source),
        *(window_problems(model.batch, source) if model.batch else ()),
        *(scd2_settings.problems(model, names) if model.history else ()),
    ]


def problems_of_later_run(
    model: ModelConfig, source: StructType, target: StructType, change: SchemaChange
) -> list[str]:
    """What must hold where the table is there."""
    return [
        *problems_of_first_run(model, source),
        *merge_problems(model, source, target),
        *scd2_settings.table_problems(model, source.names, target.names),
        *change_problems(model.on_schema_change, change),
        *hidden_in_change(model, change),
        *(_problems_of_definition(model, change) if model.applies_changes else ()),
    ]


def _problems_of_definition(model: ModelConfig, change: SchemaChange) -> list[str]:
    """What the table cannot become before the write, which adds columns."""
    return [
        *problems_of_new_columns(model.table, change.added),
        *problems_of_statistics(model.table, model.on_schema_change, change),
    ]


def problems_of_new_snapshot(
    table: TableConfig, settings: SnapshotSettings, source: Columns
) -> list[str]:
    """Columns that its table's settings name, and neither the query nor the snapshot has."""
    added = [name for name in settings.added_columns if found(name, source) is None]
    return [
        *table_problems(table, [*source, *added], QUERY),
        *problems_of_hidden(table, source),
    ]


def problems_of_change(model: ModelConfig, change: SchemaChange) -> Iterator[str]:
    """Columns that on_schema_change would bring to a table of another format."""
    mode = model.on_schema_change
    asked = change if mode == "sync_all_columns" else mode == "append_new_columns" and change.grows
    if asked:
        names = (*change.added, *change.nested_added, *change.removed, *change.nested_removed)
        named = ", ".join((*names, *map(str, change.retyped)))
        yield (
            f"on_schema_change {mode!r} needs file_format 'delta', got"
            f" {model.table.file_format!r}, where the model and its table differ in {named}; run it"
            " with --full-refresh"
        )


def warnings_of_first_run(model: ModelConfig, source: StructType) -> list[str]:
    """Also what will be an error once there is a table to merge into."""
    told = "merge_update_columns and merge_exclude_columns exclude each other when merging"
    merging = [told] if model.merge.names_and_excludes else []
    written = scd2_settings.written(model.history) if model.history else ()
    return [
        *merging,
        *warnings_of_types(source),
        *warnings_of_comments(model.table, [*source.names, *written]),
    ]


def warnings_of_columns(table: TableConfig, source: StructType) -> list[str]:
    return [*warnings_of_types(source), *warnings_of_comments(table, source.names)]


def are_columns_told(table: TableConfig, sql: str) -> bool:
    """Whether a view's columns are needed, or may be warned of: it takes an analysis to have them.

    That a null has a name is the only sign of a column without a type that a text gives cheaply.
    """
    has_lengths = any(kind != STRING for _, kind in table.constraints.lengths)
    return bool(table.column_comments or has_lengths or UNTYPED.search(sql))


def warnings_of_types(source: StructType) -> list[str]:
    """Columns of no type, which a table takes and no later value fits."""
    return [
        f"the column {field.name!r} is null and has no type ({field.dataType.simpleString()});"
        f" give it one, as in cast(null as string) as {field.name}"
        for field in source.fields
        if VOID.search(field.json())
    ]


def warnings_of_later_run(
    model: ModelConfig, source: StructType, target: StructType, change: SchemaChange
) -> list[str]:
    """What is left out of the table, by name, and what is added to it with no type."""
    return [
        *warnings_of_change(model.on_schema_change, change),
        *(warnings_of_added(source, change) if model.evolves else ()),
        *warnings_of_comments(model.table, [*source.names, *target.names]),
    ]


def warnings_of_added(source: StructType, change: SchemaChange) -> list[str]:
    return warnings_of_types(StructType([each for each in source if each.name in change.added]))
