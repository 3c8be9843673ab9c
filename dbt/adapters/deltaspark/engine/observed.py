"""What a caller's own statements did to a table, in the terms of the engine's results."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from delta.tables import DeltaTable

from .history import newest_commit, newest_version
from .jvm import Jvm
from .result import ChangePlan, MergeResult

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def observed(
    spark: SparkSession,
    table: str,
    run: Callable[[], object],
    reason: str = "the caller's own statements",
) -> MergeResult:
    """Run it; the version and the metrics are those of the table's newest commit, if it is new."""
    jvm = Jvm(spark)
    log = DeltaTable.forName(spark, table)._jdt.deltaLog()
    before = newest_version(jvm, log)
    run()
    commit = newest_commit(jvm, log, before)
    plan = ChangePlan("WRITE", "native", reason, table)
    return MergeResult(commit.version, "native", commit.metrics, plan)
