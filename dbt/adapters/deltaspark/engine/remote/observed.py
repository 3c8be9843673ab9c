"""What a caller's own statements did, and when a table was last changed, as the history tells."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from ..delta import Commit
from ..metrics import OperationMetrics
from ..plan import ChangePlan
from ..result import MergeResult
from .commits import commit_after, newest_version

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def observed(spark: SparkSession, table: str, *runs: Callable[[], object]) -> MergeResult:
    """Run them in order; the version and the metrics are those of the last commit that one made."""
    commits = [_commit_of(spark, table, run) for run in runs]
    nothing = Commit(None, OperationMetrics())
    last = next((each for each in reversed(commits) if each.version is not None), nothing)
    plan = ChangePlan("WRITE", "native", "the caller's own statements", table)
    return MergeResult.natively(last, plan)


def _commit_of(spark: SparkSession, table: str, run: Callable[[], object]) -> Commit:
    before = newest_version(spark, table)
    run()
    return commit_after(spark, table, before, lambda _: True)


def last_commit(spark: SparkSession, table: str) -> datetime:
    """When the table's newest version was committed, in UTC."""
    history = spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1")
    milliseconds = history.selectExpr("unix_millis(timestamp)").collect()[0][0]
    return datetime.fromtimestamp(milliseconds / 1000, tz=timezone.utc)
