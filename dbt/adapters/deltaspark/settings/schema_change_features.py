"""Table features that sync_all_columns turns on: one that is new to it is named and used here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .schema_change import SchemaChange

SYNC_FEATURES = {
    "columnMapping": "delta.columnMapping.mode",
    "typeWidening": "delta.enableTypeWidening",
}
"""What every reader of the table must know, and the table property that uses it."""
WIDENS = (SYNC_FEATURES["typeWidening"], "true")
"""The property of a table that takes wider types."""


def reader_features(mode: str, change: SchemaChange) -> dict[str, str]:
    """Table features that sync_all_columns needs for the change, to what each is needed for."""
    if mode != "sync_all_columns":
        return {}
    retyped = [each.name for each in change.retyped if not each.had_no_type]
    return {
        **({"columnMapping": f"to drop {', '.join(change.removed)}"} if change.removed else {}),
        **({"typeWidening": f"to widen {', '.join(retyped)}"} if retyped else {}),
    }


def sync_properties(mode: str, change: SchemaChange) -> dict[str, str]:
    """Table properties that the change needs; the engine sets what dropped columns need."""
    return dict([WIDENS]) if "typeWidening" in reader_features(mode, change) else {}


def new_feature(feature: str, purpose: str, *, allowed: bool) -> str:
    """What is said of a feature that the table has not yet: a warning, or a problem."""
    if allowed:
        return (
            f"on_schema_change 'sync_all_columns' turns on the table feature {feature} {purpose};"
            " from then on every reader of the table must know it"
        )
    return (
        f"on_schema_change 'sync_all_columns' needs the table feature {feature} {purpose}, which"
        " every reader of the table must know, and allow_protocol_upgrade is false; set"
        " append_new_columns, or run the model with --full-refresh"
    )
