"""Merges in interleaved rounds, timed one by one and each verified."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sessions import spark_session, timed
from workload import COPIES, Workload, facts, fresh_copy, prepare, verify

if TYPE_CHECKING:
    from engines import Engine
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Measure:
    """One merge: its time, its Spark jobs and what its commit says about itself."""

    engine: str
    keys: str
    round: int
    seconds: float
    jobs: int
    route: str
    metrics: dict[str, int]


def prepare_data(settings: dict[str, str], workload: Workload) -> None:
    """Make the tables and sources that do not exist yet; drop what an interrupted run left."""
    shutil.rmtree(COPIES, ignore_errors=True)
    with spark_session(settings) as spark:
        prepare(spark, workload)


def time_merges(
    settings: dict[str, str],
    workload: Workload,
    engines: Sequence[Engine],
    keys: Sequence[str],
    *,
    rounds: int,
    warm_up: int = 1,
) -> list[Measure]:
    """Every engine on every source in each round, without the rounds that warm the JVM up."""
    with spark_session(settings) as spark:
        done = []
        for number in range(1 - warm_up, rounds + 1):
            for engine, name in _turns(engines, keys, number):
                done.append(_one_merge(spark, workload, engine, name, number))
                print(_line(done[-1]), flush=True)
    return [measure for measure in done if measure.round > 0]


def _turns(
    engines: Sequence[Engine], keys: Sequence[str], number: int
) -> Iterator[tuple[Engine, str]]:
    # Another engine is the first in each round, so that none always finds the machine colder.
    first = number % len(engines)
    for name in keys:
        for engine in (*engines[first:], *engines[:first]):
            yield engine, name


def round_name(number: int) -> str:
    return f"{f'round {number}' if number > 0 else 'warm-up':8}"


def _line(measure: Measure) -> str:
    return (
        f"{round_name(measure.round)} {measure.keys:7} {measure.engine:16} {measure.seconds:6.2f} s"
    )


def _one_merge(
    spark: SparkSession, workload: Workload, engine: Engine, keys: str, number: int
) -> Measure:
    copy = COPIES / f"{engine.name}-{keys}-{number}"
    fresh_copy(workload.target(engine.table), copy)
    source = workload.source(keys)
    route, seconds, jobs = timed(spark, lambda: engine.run(spark, copy, source))
    if engine.merges:
        found = facts(spark.read.format("delta").load(str(copy)), every_column=number < 1)
        verify(found, workload.expected(keys), f"{engine.name}, {keys} keys, round {number}")
    metrics = _commit_metrics(copy)
    shutil.rmtree(copy)
    return Measure(engine.name, keys, number, seconds, jobs, route, metrics)


def _commit_metrics(table: Path) -> dict[str, int]:
    newest = max((table / "_delta_log").glob("*.json"))
    actions = [json.loads(line) for line in newest.read_text().splitlines()]
    info = next(action["commitInfo"] for action in actions if "commitInfo" in action)
    metrics = info.get("operationMetrics", {})
    return {name: int(value) for name, value in metrics.items() if str(value).isdigit()}
