"""Columns named as those of Spark and Delta by which rows of a file are found, or left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .table import VECTORS

if TYPE_CHECKING:
    from .model import ModelConfig
    from .schema_change import SchemaChange
    from .table import TableConfig

HIDDEN = ("_metadata", "__delta_internal_is_row_deleted")
REASON = "has the name of a column that Spark and Delta find rows by in a table's files"


def problems_of_hidden(table: TableConfig, names: Iterable[str]) -> Iterator[str]:
    """Of a table that is made: no later run could change rows where it has deletion vectors."""
    for name in _hidden(names) if _starts_with_vectors(table) else ():
        yield (
            f"the column {name!r} {REASON}, so that no later run could change any:"
            f" {_way_out(name)}, or set deletion_vectors: false, with which Delta's own commands"
            " change the table, and find them otherwise"
        )


def problems_of_hidden_later(names: Iterable[str]) -> Iterator[str]:
    """Of columns that a table gets which is there, and may have deletion vectors in its files."""
    for name in _hidden(names):
        yield f"the column {name!r}, which the table would get, {REASON}: {_way_out(name)}"


def hidden_in_model(model: ModelConfig, names: Iterable[str]) -> Iterator[str]:
    """The same of a model's first run, where later ones take more than whole files away."""
    whole_files = model.strategy == "insert_overwrite" and not (
        model.replace_on or model.table.cluster_by
    )
    if model.table.file_format == "delta" and model.strategy != "append" and not whole_files:
        yield from problems_of_hidden(model.table, names)


def hidden_in_change(model: ModelConfig, change: SchemaChange) -> Iterator[str]:
    if model.evolves:
        yield from problems_of_hidden_later(change.added)


def _hidden(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.lower() in HIDDEN]


def _way_out(name: str) -> str:
    return f"name it otherwise, as in {name} as {name.strip('_')}"


def _starts_with_vectors(table: TableConfig) -> bool:
    properties = {key.lower(): text for key, text in table.creation_properties(()).items()}
    return properties[VECTORS.lower()].lower() == "true"
