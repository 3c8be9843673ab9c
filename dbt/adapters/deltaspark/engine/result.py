"""What the engine gives back: a result with its plan, the same for each kind of change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from .files import UNKNOWN_VERSION

if TYPE_CHECKING:
    from .files import Files, FileSteps, TableSize
    from .metrics import OperationMetrics
    from .plan import MergePlan, Route

Verb = Literal["DELETE", "UPDATE", "WRITE"]


@dataclass(frozen=True, slots=True)
class ChangePlan:
    """Which way a write, a DELETE or an UPDATE goes, and why; making one writes nothing."""

    verb: Verb
    route: Route
    reason: str
    table: str
    whole: TableSize | None = None
    replaced: Files | None = None
    """Files whose rows go all, which needs no scan."""
    scanned: Files | None = None
    """Files of whose rows some may go."""
    rule: str = "nothing"
    steps: FileSteps | None = None
    """What became of the table's files; None before the change has run."""

    def explain(self) -> str:
        """The plan as text for a person."""
        lines = [f"{self.verb} {self.table}", f"  route: {self.route} ({self.reason})"]
        if self.whole is not None and self.replaced is not None and self.scanned is not None:
            lines += [
                f"  files: {self.replaced.count:,} whole and {self.scanned.count:,} to scan,"
                f" of {self.whole.files:,}",
                f"  pruned by: {self.rule}",
            ]
        if self.steps is not None:
            lines.append(f"  steps: {self.steps}")
        return "\n".join(lines)


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
