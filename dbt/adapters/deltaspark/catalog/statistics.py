"""The statistics that the docs site shows beside a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dbt_common.contracts.metadata import StatsItem

if TYPE_CHECKING:
    from ..engine import TableDetail

HAS_STATS = "has_stats"
LABELS = {
    "row_count": ("Rows", "Without those that deletion vectors take out"),
    "bytes": ("Size", "Bytes of the newest version's files"),
    "files": ("Files", "Data files of the newest version"),
    "last_modified": ("Last modified", "When the newest version was committed, in UTC"),
    "partitioned_by": ("Partitioned by", "Columns that part the table's files into folders"),
    "clustered_by": ("Clustered by", "Columns of liquid clustering"),
    "deletion_vectors": ("Deletion vectors", "Files of which rows are marked as deleted"),
}
"""By id: the label and the description."""


def statistics(detail: TableDetail | None) -> dict[str, StatsItem]:
    """What is known of a table, and whether anything is, as dbt-core has it in every catalog."""
    items = {} if detail is None else {item.id: item for item in _items(detail) if item.include}
    about = "Indicates whether there are statistics for this table"
    has_stats = StatsItem(HAS_STATS, "Has Stats?", bool(items), include=False, description=about)
    return {**items, HAS_STATS: has_stats}


def _items(detail: TableDetail) -> list[StatsItem]:
    values = {
        "row_count": detail.rows,
        "bytes": detail.bytes,
        "files": detail.files,
        "last_modified": f"{detail.last_modified:%Y-%m-%d %H:%M:%S} UTC",
        "partitioned_by": ", ".join(detail.partitioned_by) or None,
        "clustered_by": ", ".join(detail.clustered_by) or None,
        "deletion_vectors": detail.deletion_vectors or None,
    }
    return [
        StatsItem(name, label, values[name], include=values[name] is not None, description=about)
        for name, (label, about) in LABELS.items()
    ]


STATISTICS_COLUMNS = tuple(
    f"stats:{name}:{part}"
    for name in LABELS
    for part in ("label", "value", "description", "include")
)


def in_columns(stats: dict[str, StatsItem]) -> dict[str, Any]:
    """The same as values of dbt's catalog rows, in which each table has each of them."""
    return {
        f"stats:{name}:{part}": value
        for name, (label, about) in LABELS.items()
        for part, value in {
            "label": label,
            "value": stats[name].value if name in stats else None,
            "description": about,
            "include": name in stats,
        }.items()
    }
