"""What the engine gives back: a result with its plan, the same for each kind of change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .delta import UNKNOWN_VERSION

if TYPE_CHECKING:
    from .metrics import OperationMetrics
    from .plan import ChangePlan, MergePlan, Route


@dataclass(frozen=True, slots=True)
class MergeResult:
    """What a merge, a write, a DELETE or an UPDATE did.

    `version` is None when nothing was committed. It is UNKNOWN_VERSION where Delta's own command
    committed (route `native`) and other writers' commits beside it cannot be told from it: then
    `metrics` are what the command itself counted, or have no values. `retries` counts replays after
    conflicts.
    """

    version: int | None
    route: Route
    metrics: OperationMetrics
    plan: MergePlan | ChangePlan
    retries: int = 0

    @property
    def skipped(self) -> bool:
        return self.version is None

    @property
    def version_is_known(self) -> bool:
        """Whether `version` says what was committed: a version, or None for nothing."""
        return self.version != UNKNOWN_VERSION
