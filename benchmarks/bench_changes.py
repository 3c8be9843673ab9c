"""Times deletes, updates and replace_where of this project's engine against Delta's; see README."""

from __future__ import annotations

import argparse
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from changes import OPERATIONS, SOURCE_VIEW, Operation, Run
from processes import in_fresh_process, machine
from report import table
from rounds import prepare_data
from sessions import SETTINGS, settle, spark_session
from workload import COPIES, Workload, facts, fresh_copy, verify

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TABLES = ("vectors", "plain")
ENGINES = ("ours", "delta", "floor")


@dataclass(frozen=True, slots=True)
class Timing:
    """One change by one engine, in seconds."""

    operation: str
    table: str
    engine: str
    round: int
    seconds: float


def main() -> None:
    options = _options()
    workload = Workload(options.rows, options.files)
    print(machine(), workload, sep="\n")
    in_fresh_process(prepare_data, SETTINGS, workload)
    timings = in_fresh_process(time_changes, workload, options.tables, options.rounds)
    print(f"\n{report(timings)}")


def time_changes(workload: Workload, tables: list[str], rounds: int) -> list[Timing]:
    """Both engines and the floor in turns; the first round warms up. Every result is verified."""
    with spark_session(SETTINGS) as spark:
        untouched = spark.read.format("delta").load(str(workload.target("plain")))
        untouched.createOrReplaceTempView(SOURCE_VIEW)
        expected = {o.name: facts(o.result(untouched), every_column=True) for o in OPERATIONS}
        done = [
            _one_change(spark, workload, operation, kind, engine, number, expected[operation.name])
            for number in range(rounds + 1)
            for operation in OPERATIONS
            for kind in tables
            for engine in (ENGINES, ENGINES[::-1])[number % 2]
        ]
    return [timing for timing in done if timing.round > 0]


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
    fresh_copy(workload.folder / kind, copy)
    settle(spark)
    run: Run = getattr(operation, engine)
    start = time.perf_counter()
    run(spark, copy)
    seconds = time.perf_counter() - start
    if engine != "floor":
        found = facts(spark.read.format("delta").load(str(copy)), every_column=number == 0)
        verify(found, expected, f"{engine}, {operation.name}, {kind}")
    shutil.rmtree(copy)
    print(f"round {number}  {operation.name:14} {kind:8} {engine:6} {seconds:6.2f} s", flush=True)
    return Timing(operation.name, kind, engine, number, seconds)


def report(timings: list[Timing]) -> str:
    header = ("change", "table", "ours s", "Delta s", "floor s", "x ours", "mark")
    return table(header, _lines(timings))


def _lines(timings: list[Timing]) -> Iterator[tuple[str, ...]]:
    for operation in OPERATIONS:
        for kind in TABLES:
            own = [t for t in timings if (t.operation, t.table) == (operation.name, kind)]
            if own:
                ours, delta, floor = (
                    median(t.seconds for t in own if t.engine == engine) for engine in ENGINES
                )
                met = _met(operation.mark, ours, delta, floor)
                yield (
                    operation.name,
                    kind,
                    f"{ours:.2f}",
                    f"{delta:.2f}",
                    f"{floor:.2f}",
                    f"{delta / ours:.2f}",
                    f"{operation.mark:g} {met}",
                )


def _met(mark: float, ours: float, delta: float, floor: float) -> str:
    if delta >= mark * ours:
        return "met"
    return "MISSED" if delta >= mark * floor else "below the floor"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=Workload().rows)
    parser.add_argument("--files", type=int, default=Workload().files)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=[*TABLES])
    return parser.parse_args()


if __name__ == "__main__":
    main()
