"""The same statements through Delta's own commands: the fallback, and the oracle of the tests."""

from __future__ import annotations

import logging
from functools import cache
from typing import TYPE_CHECKING, Protocol

from ..metrics import OperationMetrics
from .commit_checks import check_native_commit
from .history import newest_version, our_commit
from .jvm import CATALYST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame

    from .files import Commit
    from .history import Logged, Sign
    from .jvm import JavaObject, Jvm

logger = logging.getLogger(__name__)

ASKED_FOR = "asked for"

ROW_CHANGES = ("MERGE", "DELETE", "UPDATE")
"""What the history calls the statements that run here."""


@cache
def warn_once(statement: str, reason: str) -> None:
    """Once in a process for each statement and reason."""
    level = logging.INFO if reason == ASKED_FOR else logging.WARNING
    logger.log(level, "%s goes through Delta's own command: %s", statement, reason)


class Statement(Protocol):
    """What Delta can run."""

    def plan(self, jvm: Jvm) -> JavaObject: ...


def run(request: Statement, jvm: Jvm, log: JavaObject, catalog_table: JavaObject) -> Commit:
    """Let Delta run the statement; the commit is the one that says what the command counted."""
    check_native_commit(jvm, log, catalog_table)
    before = newest_version(jvm, log)
    counted = _counted(jvm, jvm.frame(request.plan(jvm)))
    return our_commit(jvm, log, before, _told_by(counted), OperationMetrics.of(counted))


def _counted(jvm: Jvm, executed: DataFrame) -> dict[str, int]:
    """The metrics of the command that ran, also where it committed nothing."""
    plan = jvm.analyzed(executed)
    if not jvm.is_a(plan, f"{CATALYST}.plans.logical.CommandResult"):
        return {}
    metrics = plan.commandPhysicalPlan().metrics().toSeq()
    return {pair._1(): pair._2().value() for pair in jvm.items(metrics)}


def _told_by(counted: Mapping[str, int]) -> Sign:
    """The sign of a command: rows, files, bytes and milliseconds that are its own."""

    def is_ours(commit: Logged) -> bool:
        if not (counted and commit.metrics):
            return commit.operation in ROW_CHANGES
        both = counted.keys() & commit.metrics.keys()
        return bool(both) and all(counted[name] == commit.metrics[name] for name in both)

    return is_ours
