"""Changes of a table, by our engine and by Delta's own commands in turns, timed and verified."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from changes import SOURCE_VIEW, Operation, Run
from report import table
from rounds import round_name
from sessions import timed
from workload import COPIES, Workload, facts, fresh_copy, verify

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLES = ("vectors", "plain")
ENGINES = ("ours", "delta", "floor")


@dataclass(frozen=True, slots=True)
class Timing:
    """One change by one engine, in seconds, and its Spark jobs."""

    operation: str
    table: str
    engine: str
    round: int
    seconds: float
    jobs: int


def time_operations(
    spark: SparkSession,
    workload: Workload,
    operations: Sequence[Operation],
    tables: Sequence[str],
    *,
    rounds: int,
    warm_up: int = 1,
) -> list[Timing]:
    """Without the rounds that warm the JVM up."""
    untouched = spark.read.format("delta").load(str(workload.target("plain")))
    untouched.createOrReplaceTempView(SOURCE_VIEW)
    expected = {o.name: facts(o.result(untouched), every_column=True) for o in operations}
    done = [
        _one_change(spark, workload, operation, kind, engine, number, expected[operation.name])
        for number in range(1 - warm_up, rounds + 1)
        for operation in operations
        for kind in tables
        for engine in _turns(operation, number)
    ]
    return [timing for timing in done if timing.round > 0]


def _turns(operation: Operation, number: int) -> Iterator[str]:
    engines = [engine for engine in ENGINES if getattr(operation, engine) is not None]
    return iter(engines if number % 2 else engines[::-1])


def _one_change(
    spark: SparkSession,
    workload: Workload,
    operation: Operation,
    kind: str,
    engine: str,
    number: int,
    expected: dict[str, int],
) -> Timing:
    copy = COPIES / f"{engine}-{operation.name.replace(' ', '-')}-{number}"
    shutil.rmtree(copy, ignore_errors=True)
    if not operation.makes_the_table:
        fresh_copy(workload.folder / kind, copy)
    run: Run = getattr(operation, engine)
    _, seconds, jobs = timed(spark, lambda: run(spark, copy))
    if engine != "floor":
        found = facts(spark.read.format("delta").load(str(copy)), every_column=number < 1)
        verify(found, expected, f"{engine}, {operation.name}, {kind}")
    shutil.rmtree(copy)
    name = f"{round_name(number)} {operation.name:16}"
    print(f"{name} {kind:8} {engine:6} {seconds:6.2f} s", flush=True)
    return Timing(operation.name, kind, engine, number, seconds, jobs)


def report(timings: Sequence[Timing], operations: Sequence[Operation]) -> str:
    """A line a change and table: the seconds of each, their jobs, how much longer Delta's takes."""
    header = (
        "change",
        "table",
        "ours s",
        "Delta s",
        "floor s",
        "jobs",
        "Delta's",
        "x ours",
        "mark",
    )
    return table(header, _lines(timings, operations))


def _lines(timings: Sequence[Timing], operations: Sequence[Operation]) -> Iterator[tuple[str, ...]]:
    for operation in operations:
        for kind in TABLES:
            own = [t for t in timings if (t.operation, t.table) == (operation.name, kind)]
            if own:
                yield operation.name, kind, *_figures(own, operation.mark)


def _figures(own: Sequence[Timing], mark: float) -> tuple[str, ...]:
    seconds = {engine: median(t.seconds for t in own if t.engine == engine) for engine in _of(own)}
    jobs = {engine: median(t.jobs for t in own if t.engine == engine) for engine in _of(own)}
    ours, delta, floor = (seconds.get(engine) for engine in ENGINES)
    assert ours is not None and delta is not None
    return (
        f"{ours:.2f}",
        f"{delta:.2f}",
        "" if floor is None else f"{floor:.2f}",
        f"{jobs['ours']:g}",
        f"{jobs['delta']:g}",
        f"{delta / ours:.2f}",
        f"{mark:.2g} {_met(mark, ours, delta, floor)}",
    )


def _of(timings: Sequence[Timing]) -> set[str]:
    return {timing.engine for timing in timings}


def _met(mark: float, ours: float, delta: float, floor: float | None) -> str:
    if delta >= mark * ours:
        return "met"
    return "MISSED" if floor is None or delta >= mark * floor else "below the floor"
