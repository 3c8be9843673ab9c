"""What an operation did, under the names of Delta's own operation metrics."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

NAMES = (
    "numSourceRows",
    "numTargetRowsInserted",
    "numTargetRowsUpdated",
    "numTargetRowsMatchedUpdated",
    "numTargetRowsNotMatchedBySourceUpdated",
    "numTargetRowsDeleted",
    "numTargetRowsMatchedDeleted",
    "numTargetRowsNotMatchedBySourceDeleted",
    "numTargetRowsCopied",
    "numOutputRows",
    "numTargetFilesAdded",
    "numTargetFilesRemoved",
    "numTargetBytesAdded",
    "numTargetBytesRemoved",
    "numTargetChangeFilesAdded",
    "numTargetDeletionVectorsAdded",
    "numTargetDeletionVectorsRemoved",
    "numTargetDeletionVectorsUpdated",
    "executionTimeMs",
    "materializeSourceTimeMs",
    "scanTimeMs",
    "rewriteTimeMs",
)
"""The metrics of a MERGE commit (DeltaOperations.Merge, OperationMetrics MERGE)."""


@dataclass(frozen=True, slots=True)
class OperationMetrics:
    """Counts, bytes and milliseconds of one operation; what was not counted is 0."""

    values: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, int]) -> OperationMetrics:
        return cls(tuple(sorted(values.items())))

    @classmethod
    def of_merge(cls, values: Mapping[str, int]) -> OperationMetrics:
        """All the metrics of a MERGE; output rows are derived as Delta derives them."""
        written = ("numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsCopied")
        output = sum(values.get(name, 0) for name in written)
        known = {name: values.get(name, 0) for name in NAMES}
        return cls.of({**known, "numOutputRows": output})

    def as_dict(self) -> dict[str, int]:
        """Delta's metric names to numbers."""
        return dict(self.values)

    def get(self, name: str) -> int:
        return dict(self.values).get(name, 0)

    @property
    def inserted(self) -> int:
        """Rows that came new; of a write that replaces rows, the new ones."""
        known = dict(self.values)
        if "numTargetRowsInserted" in known:
            return known["numTargetRowsInserted"]
        if "numOutputRows" not in known:  # a DELETE or an UPDATE, which may copy rows
            return 0
        return known["numOutputRows"] - self.get("numCopiedRows")

    @property
    def updated(self) -> int:
        return self.get("numTargetRowsUpdated") + self.get("numUpdatedRows")

    @property
    def deleted(self) -> int:
        return self.get("numTargetRowsDeleted") + self.get("numDeletedRows")

    @property
    def affected(self) -> int:
        return self.inserted + self.updated + self.deleted


def since(started: float) -> int:
    """Milliseconds, rounded up: a phase that ran took at least one."""
    return int((time.monotonic() - started) * 1000) + 1
