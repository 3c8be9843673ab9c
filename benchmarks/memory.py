"""Peak memory of an engine: what its process took of the machine, and what it had to hold.

The resident set says what the machine had to give. But a JVM with room in its heap takes that
before it collects, so the measure tells how much an engine allocates as well as how much it needs.
The live heap, what is left right after a full collection, is the need: a second process collects
five times a second to find its peak in every merge.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from processes import in_fresh_process, peak_resident_mb
from report import table
from sessions import settle, spark_session
from workload import COPIES, DATA, Workload, fresh_copy

if TYPE_CHECKING:
    from engines import Engine
    from pyspark.sql import SparkSession

GC_LOG = DATA / "gc.log"
COLLECT_OFTEN = {
    "spark.driver.extraJavaOptions": "-XX:+UseG1GC -XX:G1PeriodicGCInterval=200 "
    f"-XX:-G1PeriodicGCInvokesConcurrent -Xlog:gc:file={GC_LOG}"
}
FULL_COLLECTION = re.compile(r"Pause Full .* \d+M->(\d+)M\(")


@dataclass(frozen=True, slots=True)
class Resident:
    """The peak in MB of each process's resident set, over all the merges of an engine."""

    engine: str
    jvm: int
    python: int


@dataclass(frozen=True, slots=True)
class LiveHeap:
    """MB of heap after full collections: before the first merge, and the peak of each source."""

    engine: str
    idle: int
    peaks: dict[str, int]


def peaks(
    settings: dict[str, str], workload: Workload, engines: Sequence[Engine], keys: Sequence[str]
) -> tuple[list[Resident], list[LiveHeap]]:
    """Both measures: an engine's merges run one after the other, in a fresh process for each."""
    measured = [engine for engine in engines if engine.merges]
    on_spark = [engine for engine in measured if engine.on_spark]
    often = {**settings, **COLLECT_OFTEN}
    return (
        [in_fresh_process(resident, settings, workload, e, keys) for e in measured],
        [in_fresh_process(live_heap, often, workload, e, keys) for e in on_spark],
    )


def resident(
    settings: dict[str, str], workload: Workload, engine: Engine, keys: Sequence[str]
) -> Resident:
    """The peak since this process began: it never falls, so run it in a fresh one."""
    if not engine.on_spark:
        _merge_all(None, workload, engine, keys)
        return Resident(engine.name, jvm=0, python=peak_resident_mb())
    with spark_session(settings) as spark:
        _merge_all(spark, workload, engine, keys)
        jvm = spark.sparkContext._jvm
        assert jvm is not None
        process = int(jvm.java.lang.ProcessHandle.current().pid())
        return Resident(engine.name, peak_resident_mb(process), peak_resident_mb())


def live_heap(
    settings: dict[str, str], workload: Workload, engine: Engine, keys: Sequence[str]
) -> LiveHeap:
    """The heap's peaks as the log of a JVM tells them that was started with COLLECT_OFTEN."""
    GC_LOG.unlink(missing_ok=True)
    with spark_session(settings) as spark:
        spark.read.parquet(str(workload.source(keys[0]))).count()
        settle(spark)
        idle = _collections()[-1]
        found = {name: _peak_of_one_merge(spark, workload, engine, name) for name in keys}
        return LiveHeap(engine.name, idle, found)


def memory_table(residents: Sequence[Resident], heaps: Sequence[LiveHeap]) -> str:
    """A line for each engine, in megabytes."""
    keys = list(heaps[0].peaks) if heaps else []
    held = {heap.engine: (heap.idle, *heap.peaks.values()) for heap in heaps}
    header = ("peak MB", "JVM", "Python", "both", "heap: idle", *keys)
    rows = [
        (r.engine, r.jvm, r.python, r.jvm + r.python, *held.get(r.engine, ())) for r in residents
    ]
    return table(header, ([*map(str, row), *[""] * (len(header) - len(row))] for row in rows))


def _peak_of_one_merge(spark: SparkSession, workload: Workload, engine: Engine, keys: str) -> int:
    before = len(_collections())
    _merge_all(spark, workload, engine, [keys])
    return max(_collections()[before:])


def _merge_all(
    spark: SparkSession | None, workload: Workload, engine: Engine, keys: Sequence[str]
) -> None:
    for name in keys:
        copy = COPIES / f"{engine.name}-{name}-memory"
        fresh_copy(workload.target(engine.table), copy)
        engine.run(spark, copy, workload.source(name))
        shutil.rmtree(copy)


def _collections() -> list[int]:
    return [int(after) for after in FULL_COLLECTION.findall(GC_LOG.read_text())]
