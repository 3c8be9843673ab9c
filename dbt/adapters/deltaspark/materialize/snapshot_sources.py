"""What a snapshot's SQL is made of: its settings, its strategy's answers, and its types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..column_names import bare
from ..settings import Columns, SnapshotSettings, is_current, sql_of, stored_type

MOMENTS = ("date", "timestamp", "timestamp_ntz")


@dataclass(frozen=True, slots=True)
class Strategy:
    """What a strategy's macro answers, as SQL over the query's columns."""

    unique_key: tuple[str, ...]
    updated_at: str
    row_changed: str
    scd_id: str
    hard_deletes: str

    @classmethod
    def of(cls, strategy: Mapping[str, Any]) -> Strategy:
        """From dbt's dictionary; old strategies say only whether deletes end a row."""
        key = strategy["unique_key"]
        invalidates = "invalidate" if strategy.get("invalidate_hard_deletes") else "ignore"
        return cls(
            unique_key=tuple(map(bare, [key] if isinstance(key, str) else key)),
            updated_at=strategy["updated_at"].strip(),
            row_changed=strategy["row_changed"].strip(),
            scd_id=strategy["scd_id"].strip(),
            hard_deletes=strategy.get("hard_deletes") or invalidates,
        )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything that a snapshot's SQL is made of."""

    settings: SnapshotSettings
    strategy: Strategy
    sql: str
    source: Columns
    time_type: str
    """The type of `updated_at`, and so of all times in the table."""
    later_scd_id: str
    """The id of a version that begins now, from another's, as SQL."""

    @property
    def now(self) -> str:
        return f"cast({self.settings.now} as {self.time_type})"

    def valid_to(self, target: Columns | None = None) -> str:
        """Of a version that is valid now."""
        kind = self.kind_of(self.settings.meta.valid_to, target or {})
        return f"cast({self.settings.valid_to_current or 'null'} as {kind})"

    def kind_of(self, name: str, target: Columns) -> str:
        """The type of one of the snapshot's times; a table made by others may have other ones."""
        stored = stored_type(name, target)
        if stored in MOMENTS and self.time_type in MOMENTS:
            return stored
        return self.time_type

    def is_current(self, target: Columns) -> str:
        return is_current(self.settings, self.time_type, target)

    @property
    def keeps_deletions(self) -> bool:
        return self.settings.hard_deletes == "new_record"

    @property
    def sees_deletions(self) -> bool:
        return self.settings.hard_deletes != "ignore" and not self.settings.is_limited

    def key(self) -> str:
        """The key as one value that is never null itself, whatever is null in it."""
        fields = (
            f"'key_{number}', {sql_of(name, self.source)}"
            for number, name in enumerate(self.strategy.unique_key, start=1)
        )
        return f"named_struct({', '.join(fields)})"
