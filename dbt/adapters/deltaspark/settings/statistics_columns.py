"""The table property that lists columns with statistics, beside columns that come and go."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..column_names import found
from .sql_tokens import items, name_parts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .schema_change import SchemaChange
    from .table import TableConfig

STATISTICS = "delta.dataSkippingStatsColumns"


def problems_of_statistics(table: TableConfig, mode: str, change: SchemaChange) -> Iterator[str]:
    """Delta takes names of columns that are there: those that are new come only after it."""
    value = next((text for key, text in table.properties if key.lower() == STATISTICS.lower()), "")
    added = (*change.added, *change.nested_added)
    removed = change.removed if mode == "sync_all_columns" else ()
    for name in items(value) if value.strip() else ():
        parts = name_parts(name)
        if any(found(".".join(parts[: depth + 1]), added) for depth in range(len(parts))):
            yield (
                f"{STATISTICS} (tblproperties) names {name!r}, which the table does not have yet:"
                " run the model once without it, or with --full-refresh"
            )
        if found(parts[0], removed) is not None:
            yield (
                f"{STATISTICS} (tblproperties) names {name!r}, which on_schema_change"
                " 'sync_all_columns' drops: leave it out, or keep the column in the model"
            )
