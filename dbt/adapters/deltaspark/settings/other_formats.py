"""What a model says that only Delta tables can be, where its file_format is another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .table import TableConfig

KEYS = (
    "liquid_clustered_by",
    "deletion_vectors",
    "optimize",
    "zorder",
    "idempotency_key",
    "commit_metadata",
)


def only_of_delta(table: TableConfig, config: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning for each setting that a table of another format does not have."""
    needs = f"needs file_format 'delta', got {table.file_format!r}"
    if table.file_format == "delta":
        return ()
    keys = tuple(f"{key} is not done: it {needs}" for key in KEYS if config.get(key))
    if not table.constraints.definitions() and not table.constraints.checks:
        return keys
    return (*keys, f"constraints are not enforced: that {needs}")
