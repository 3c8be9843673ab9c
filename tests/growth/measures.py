"""What a process holds: heap, threads, files, views, blocks, listeners, objects of its Spark."""

from __future__ import annotations

import gc
import os
import threading
import time
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from py4j.clientserver import ClientServerConnection
from py4j.protocol import MEMORY_COMMAND_NAME
from pyspark.sql.classic.dataframe import DataFrame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

LONGEST_SECONDS = 60.0
"""How long figures are taken at most."""
IDLE_SECONDS = 65.0


@dataclass(frozen=True, slots=True)
class Held:
    """Heap in MB after a garbage collection; everything else is counted.

    `blocks` are those of the driver's block manager: of broadcasts, and of rows that are kept;
    `objects`, those that py4j holds in the name of Pythons, some hundred for one that is at rest.
    """

    heap: int
    jvm_threads: int
    python_threads: int
    open_files: int
    temp_views: int
    persisted: int
    blocks: int
    listeners: int
    objects: int


SNAPSHOTS = 2
"""Delta keeps the state of the newest snapshots of a table, and lets go of it when it likes."""
TOLERANCE = Held(
    heap=60,
    jvm_threads=30,
    python_threads=2,
    open_files=24,
    temp_views=0,
    persisted=SNAPSHOTS,
    blocks=12,
    listeners=6,
    objects=200,
)
"""By how much a later figure may pass an earlier one: pools and caches fill as a process runs."""


def held_at_rest(spark: SparkSession) -> Held:
    """The figures without what comes and goes: idle threads of Spark's pools end after a minute,
    and Delta's cache of logs, 100 at most, holds the session that read each of them.
    """
    time.sleep(IDLE_SECONDS)
    assert spark._jvm is not None
    spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    return held(spark)


def held(spark: SparkSession, settled: int = 6) -> Held:
    """The figures once the collectors of Python, the JVM and Spark have done their work.

    Spark's cleaner runs behind the JVM's garbage collection: the figures are taken when it has
    found nothing more so many times.
    """
    found = [_held(spark)]
    deadline = time.monotonic() + LONGEST_SECONDS
    while len({_cleaned(each) for each in found[-settled:]}) > 1 or len(found) < settled:
        if time.monotonic() > deadline:
            break
        time.sleep(0.5)
        found.append(_held(spark))
    return found[-1]


def _cleaned(figures: Held) -> tuple[int, ...]:
    return figures.blocks, figures.listeners, figures.persisted


def _held(spark: SparkSession) -> Held:
    gc.collect()
    context = spark.sparkContext._jsc.sc()
    session_catalog = spark._jsparkSession.sessionState().catalog()
    jvm: Any = spark._jvm
    gateway: Any = spark.sparkContext._gateway.java_gateway_server.getGateway()
    jvm.System.gc()
    runtime, threads = (
        jvm.java.lang.Runtime.getRuntime(),
        jvm.java.lang.management.ManagementFactory.getThreadMXBean(),
    )
    return Held(
        heap=(runtime.totalMemory() - runtime.freeMemory()) // 2**20,
        jvm_threads=threads.getThreadCount(),
        python_threads=threading.active_count(),
        open_files=len(os.listdir("/proc/self/fd")) + len(os.listdir(_files_of_jvm(jvm))),
        temp_views=session_catalog.listLocalTempViews("*").size(),
        persisted=context.getPersistentRDDs().size(),
        blocks=context.env().blockManager().blockInfoManager().size(),
        listeners=context.listenerBus().listeners().size(),
        objects=gateway.getBindings().size(),
    )


def _files_of_jvm(jvm: Any) -> str:
    return f"/proc/{jvm.java.lang.ProcessHandle.current().pid()}/fd"


def grown(before: Held, after: Held) -> dict[str, tuple[int, int]]:
    """The figures that passed the earlier ones by more than the tolerance."""
    pairs = ((name, value, getattr(after, name)) for name, value in asdict(before).items())
    allowed = asdict(TOLERANCE)
    return {name: (old, new) for name, old, new in pairs if new - old > allowed[name]}


@dataclass(slots=True)
class Traffic:
    """Bytes that went through py4j, both ways, and rows that were collected."""

    bytes: int = 0
    rows: int = 0


@contextmanager
def measured_traffic() -> Iterator[Traffic]:
    """What passes between Python and the JVM inside, on all threads."""
    traffic = Traffic()
    send, collect = ClientServerConnection.send_command, DataFrame.collect

    def counting(self: ClientServerConnection, command: str) -> str:
        answer: str = send(self, command)
        if not command.startswith(MEMORY_COMMAND_NAME):  # Python's garbage, of whoever came before
            traffic.bytes += len(command) + len(answer)
        return answer

    def collecting(self: DataFrame) -> list[Any]:
        rows = collect(self)
        traffic.rows += len(rows)
        return rows

    ClientServerConnection.send_command, DataFrame.collect = counting, collecting
    try:
        yield traffic
    finally:
        ClientServerConnection.send_command, DataFrame.collect = send, collect
