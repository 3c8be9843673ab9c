"""One execution in Spark's SQL UI: a command's jobs below it, and its metrics beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from pyspark.util import inheritable_thread_target

from .jvm import active, never_an_error, restoring

if TYPE_CHECKING:
    from pyspark import SparkContext

    from .jvm import JavaObject, Jvm
    from .transactions import Transaction

First = TypeVar("First")
Second = TypeVar("Second")

EXECUTION = "org.apache.spark.sql.execution"
DESCRIPTION = "spark.job.description"
ONE_JOB_A_QUERY = {"spark.sql.adaptive.enabled": "false"}
"""Adaptive execution makes a job of every shuffle: of no use over a log, or with broadcasts."""

ID_KEYS = ("spark.sql.execution.id", "spark.sql.execution.root.id")


@contextmanager
def shown_in_ui(jvm: Jvm, command: JavaObject, title: str) -> Iterator[None]:
    """Everything that runs inside is shown as one execution of the command.

    Its metrics are posted as they stand at the end (DeltaCommand.sendDriverMetrics).
    """
    context = jvm.spark.sparkContext
    if not is_watched(context):
        yield
        return
    number = _next_number(jvm)
    before = {key: context.getLocalProperty(key) for key in ID_KEYS}
    root = before[ID_KEYS[1]] or str(number)
    _post(jvm, _started(jvm, command, title, number))
    for key, value in zip(ID_KEYS, (str(number), root), strict=True):
        context.setLocalProperty(key, value)
    said = "failed"

    def restore() -> None:
        for key, earlier in before.items():
            context._jsc.setLocalProperty(key, earlier)
        with never_an_error("Spark's UI could not be told how a command ended"):
            metrics = command.metrics().values().toSeq()
            posting = jvm.type(f"{EXECUTION}.metric.SQLMetrics")
            posting.postDriverMetricUpdates(context._jsc.sc(), str(number), metrics)
            _post(jvm, _ended(jvm, number, said))

    with restoring(restore):
        yield
        said = ""


@contextmanager
def described(jvm: Jvm, phase: str) -> Iterator[None]:
    """The jobs that start inside have the phase in their description (recordMergeOperation)."""
    context = jvm.spark.sparkContext
    if not is_watched(context):
        yield
        return
    before = context.getLocalProperty(DESCRIPTION)
    context._jsc.setLocalProperty(DESCRIPTION, f"{before} - {phase}" if before else phase)
    with restoring(lambda: context._jsc.setLocalProperty(DESCRIPTION, before)):
        yield


@lru_cache(maxsize=1)
def is_watched(context: SparkContext) -> bool:
    """Whether Spark's UI, its event log, or a listener or plugin of its confs hears of jobs."""
    conf = context.getConf()
    shown = conf.get("spark.ui.enabled", "true"), conf.get("spark.eventLog.enabled", "false")
    hearing = conf.get("spark.extraListeners", ""), conf.get("spark.plugins", "")
    return "true" in map(str.lower, shown) or any(hearing)


def few_partitions(jvm: Jvm) -> dict[str, str]:
    """Confs for small shuffles: one job a query, and no more tasks than can run at once."""
    key = "spark.sql.shuffle.partitions"
    parallelism: int = jvm.spark.sparkContext.defaultParallelism
    return {**ONE_JOB_A_QUERY, key: str(min(int(jvm.conf(key)), max(1, parallelism)))}


def at_once(
    transaction: Transaction, first: Callable[[], First], second: Callable[[], Second]
) -> tuple[First, Second]:
    """The results of two pieces of a transaction's work whose jobs run side by side.

    Both read the table in the transaction's snapshot, and their reads are recorded in it. An error
    of either is raised when both have ended.
    """
    jvm = transaction.jvm

    def beside() -> Second:
        with active(jvm), transaction.active_here():
            return second()

    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(inheritable_thread_target(jvm.spark)(beside))
        return first(), other.result()


def _next_number(jvm: Jvm) -> int:
    """Spark counts its executions in private; there is no other way to begin one from here."""
    executions = jvm.module(f"{EXECUTION}.SQLExecution")
    method = executions.getClass().getDeclaredMethod("nextExecutionId", None)
    method.setAccessible(True)
    number: int = method.invoke(executions, None)
    return number


def _started(jvm: Jvm, command: JavaObject, title: str, number: int) -> JavaObject:
    node = jvm.type(f"{EXECUTION}.command.ExecutedCommandExec")(command)
    return jvm.type(f"{EXECUTION}.ui.SparkListenerSQLExecutionStart")(
        number,
        jvm.none,
        title,
        title,
        node.toString(),
        jvm.type(f"{EXECUTION}.SparkPlanInfo").fromSparkPlan(node),
        _now(jvm),
        jvm.map({}),
        jvm.module("scala.collection.immutable.Set").empty(),
        jvm.none,
    )


def _ended(jvm: Jvm, number: int, error: str) -> JavaObject:
    """An empty message is Spark's for an execution that went well."""
    event = jvm.type(f"{EXECUTION}.ui.SparkListenerSQLExecutionEnd")
    return event(number, _now(jvm), jvm.some(error))


def _now(jvm: Jvm) -> int:
    milliseconds: int = jvm.type("java.lang.System").currentTimeMillis()
    return milliseconds


def _post(jvm: Jvm, event: JavaObject) -> None:
    jvm.spark.sparkContext._jsc.sc().listenerBus().post(event)
