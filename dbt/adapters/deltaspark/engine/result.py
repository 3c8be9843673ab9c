"""What the engine gives back: a result with its plan, the same for each kind of change."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .delta import UNKNOWN_VERSION, Commit, FileChanges, FileSteps, Jvm, until_no_conflict
from .metrics import OperationMetrics

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .plan import ChangePlan, MergePlan, Route

logger = logging.getLogger(__name__)


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
    counts_all: bool = True
    """Whether what the metrics have no number of did not happen; else it is not known."""

    @classmethod
    def nothing(cls, plan: MergePlan | ChangePlan) -> MergeResult:
        """Nothing was to be done, for the plan's reason."""
        return cls(None, "no_op", OperationMetrics(), plan)

    @classmethod
    def natively(cls, commit: Commit, plan: MergePlan | ChangePlan) -> MergeResult:
        """What a command of Delta's own did."""
        return cls(commit.version, "native", commit.metrics, plan)

    @classmethod
    def committed(
        cls, commit: Commit, plan: MergePlan | ChangePlan, changes: Sequence[FileChanges]
    ) -> MergeResult:
        """What the changes came to: a version, or nothing where there were none."""
        if plan.whole is not None:
            plan = replace(plan, steps=FileSteps.of(plan.whole, changes))
        if commit.version is None:
            return cls(None, "no_op", commit.metrics, plan)
        logger.debug("committed version %s: %s", commit.version, commit.metrics.as_dict())
        return cls(commit.version, plan.route, commit.metrics, plan)

    @property
    def skipped(self) -> bool:
        return self.version is None

    @property
    def version_is_known(self) -> bool:
        """Whether `version` says what was committed: a version, or None for nothing."""
        return self.version != UNKNOWN_VERSION


def until_committed(
    jvm: Jvm, attempt: Callable[[int], MergeResult], conflict_retries: int
) -> MergeResult:
    """The attempt's result, made again after each conflict, with the number of replays in it."""
    result, failed = until_no_conflict(jvm, attempt, conflict_retries)
    return replace(result, retries=failed)
