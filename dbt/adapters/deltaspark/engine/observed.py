"""What a caller's own statements did to a table, in the terms of the engine's results."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from delta.tables import DeltaTable

from .delta import Commit, JavaObject, Jvm, newest_version, our_commit
from .metrics import OperationMetrics
from .plan import ChangePlan
from .result import MergeResult

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def observed(spark: SparkSession, table: str, *runs: Callable[[], object]) -> MergeResult:
    """Run them in order; the version and the metrics are those of the last commit that one made.

    A run's commit is the one that the table got meanwhile. Of several it is not known which are the
    caller's: UNKNOWN_VERSION, and no metrics.
    """
    jvm = Jvm(spark)
    log = DeltaTable.forName(spark, table)._jdt.deltaLog()
    commits = [_commit_of(jvm, log, run) for run in runs]
    nothing = Commit(None, OperationMetrics())
    last = next((each for each in reversed(commits) if each.version is not None), nothing)
    plan = ChangePlan("WRITE", "native", "the caller's own statements", table)
    return MergeResult.natively(last, plan)


def last_commit(spark: SparkSession, table: str) -> datetime:
    """When the table's newest version was committed, in UTC: what its log says, nothing is read.

    Raises AnalysisException where there is no such table, or it is none of Delta's.
    """
    jvm = Jvm(spark)
    log = DeltaTable.forName(spark, table)._jdt.deltaLog()
    milliseconds = log.update(False, jvm.none, jvm.none).timestamp()
    return datetime.fromtimestamp(milliseconds / 1000, tz=timezone.utc)


def _commit_of(jvm: Jvm, log: JavaObject, run: Callable[[], object]) -> Commit:
    before = newest_version(jvm, log)
    run()
    return our_commit(jvm, log, before, lambda _: True)
