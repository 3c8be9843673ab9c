"""Processes that add to the same counters: `python tests/engine/counters.py --processes 8`.

Each is a Spark of its own and keeps a ledger of what it added; at the end every counter must be
what the ledgers add up to.
"""

from __future__ import annotations

import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from limits import KINDS
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from sessions import for_small_tables, local_spark

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pyspark.sql import SparkSession

COUNTERS = 4
SECONDS_TO_START = 600


@dataclass(slots=True)
class Ledger:
    """What one process added, by counter and by way, and how it fared."""

    added: Counter[int] = field(default_factory=Counter)
    ways: Counter[str] = field(default_factory=Counter)
    gave_up: Counter[str] = field(default_factory=Counter)
    """Conflicts that outlasted all replays, by way; nothing was added then."""
    replays: list[int] = field(default_factory=list)
    longest: float = 0.0
    """Seconds of the slowest that succeeded."""


def by_merge(
    spark: SparkSession, target: engine.DeltaTarget, key: int, n: int
) -> engine.MergeResult:
    return engine.merge_into(
        spark,
        f"MERGE INTO {target.name} t USING (SELECT {key} AS id, {n} AS n) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET n = t.n + s.n WHEN NOT MATCHED THEN INSERT *",
    )


def by_merge_of_own_rows(
    spark: SparkSession, target: engine.DeltaTarget, key: int, n: int
) -> engine.MergeResult:
    source = f"SELECT id, n + {n} AS n FROM {target.name} WHERE id = {key}"
    return engine.merge_into(
        spark,
        f"MERGE INTO {target.name} t USING ({source}) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET n = s.n",
    )


def by_update(
    spark: SparkSession, target: engine.DeltaTarget, key: int, n: int
) -> engine.MergeResult:
    return target.update({"n": f"n + {n}"}, f"id = {key}")


def by_replacing_own_rows(
    spark: SparkSession, target: engine.DeltaTarget, key: int, n: int
) -> engine.MergeResult:
    rows = spark.sql(f"SELECT id, n + {n} AS n FROM {target.name} WHERE id = {key}")
    return engine.write(rows, target, "overwrite", replace_using=["id"])


WAYS = {each.__name__: each for each in (by_merge, by_merge_of_own_rows, by_update)} | {
    by_replacing_own_rows.__name__: by_replacing_own_rows
}


def make(spark: SparkSession, folder: Path, *, vectors: bool) -> engine.DeltaTarget:
    """The table with every counter at zero."""
    target = engine.DeltaTarget.for_path(spark, str(folder))
    spark.sql(
        f"CREATE TABLE {target.name} (id INT, n BIGINT) USING delta TBLPROPERTIES"
        f" ('delta.enableDeletionVectors' = '{str(vectors).lower()}')"
    )
    spark.sql(f"INSERT INTO {target.name} SELECT id, 0 FROM range({COUNTERS})")
    return target


def add_until(
    spark: SparkSession, target: engine.DeltaTarget, ways: Sequence[str], random: Random, end: float
) -> Ledger:
    """Add to random counters in random ways until the time has come."""
    ledger = Ledger()
    while time.monotonic() < end:
        way, key, n = random.choice(ways), random.randrange(COUNTERS), random.randint(1, 9)
        started = time.monotonic()
        try:
            result = WAYS[way](spark, target, key, n)
        except (PySparkException, Py4JError, engine.SourceReadsTargetError) as error:
            if "CONCURRENT" not in str(error) and "another commit" not in str(error):
                raise
            ledger.gave_up[way] += 1
            continue
        ledger.added[key] += n
        ledger.ways[way] += 1
        ledger.replays.append(result.retries)
        ledger.longest = max(ledger.longest, time.monotonic() - started)
    return ledger


@dataclass(frozen=True, slots=True)
class Job:
    """What one of the processes does."""

    folder: Path
    number: int
    processes: int
    seconds: float
    ways: tuple[str, ...]
    seed: int


def add_apart(job: Job) -> Ledger:
    """In a process with a small Spark of its own, once all processes are ready."""
    own = job.folder / f"process_{job.number}"
    KINDS[job.number % len(KINDS)].put_in_force()
    spark = for_small_tables(local_spark(own, master="local[1]", memory="1g"))
    try:
        target = engine.DeltaTarget.for_path(spark, str(job.folder / "t"))
        spark.sql(f"SELECT sum(n) FROM {target.name}").collect()
        (job.folder / f"ready_{job.number}").touch()
        _wait_for_all(job)
        random = Random(f"{job.seed}:{job.number}")
        return add_until(spark, target, job.ways, random, time.monotonic() + job.seconds)
    finally:
        spark.stop()


def _wait_for_all(job: Job) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while len([*job.folder.glob("ready_*")]) < job.processes:
        if time.monotonic() > deadline:
            raise TimeoutError(f"not all processes started within {SECONDS_TO_START} s")
        time.sleep(0.05)


def differences(
    spark: SparkSession, target: engine.DeltaTarget, ledgers: Iterable[Ledger]
) -> list[str]:
    """Counters that are not what was added to them."""
    rows = spark.sql(f"SELECT id, n FROM {target.name}").collect()
    added = sum((ledger.added for ledger in ledgers), Counter[int]())
    keys = Counter(row["id"] for row in rows)
    found = {row["id"]: row["n"] for row in rows}
    return [
        f"counter {key}: {found.get(key)} in {keys[key]} rows, but {added[key]} was added"
        for key in range(COUNTERS)
        if found.get(key) != added[key] or keys[key] != 1
    ]


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000))
    parser.add_argument("--no-vectors", action="store_true", help="a table without vectors")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=[*WAYS])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spark = for_small_tables(local_spark(folder, master="local[1]", memory="1g"))
        target = make(spark, folder / "t", vectors=not options.no_vectors)
        jobs = [
            Job(folder, n, options.processes, options.seconds, tuple(options.ways), options.seed)
            for n in range(options.processes)
        ]
        with ProcessPoolExecutor(len(jobs), mp_context=get_context("spawn")) as processes:
            ledgers = [*processes.map(add_apart, jobs)]
        wrong = differences(spark, target, ledgers)
        spark.stop()
    _print(options.seed, ledgers, options.seconds, wrong)
    return int(bool(wrong))


def _print(seed: int, ledgers: Sequence[Ledger], seconds: float, wrong: Sequence[str]) -> None:
    for number, each in enumerate(ledgers):
        print(
            f"process {number}: {each.ways.total()} succeeded after {sum(each.replays)} replays,"
            f" at most {max(each.replays, default=0)}; {each.gave_up.total()} gave up"
            f" {dict(each.gave_up)}; the slowest took {each.longest:.1f} s"
        )
    done = [each.ways.total() for each in ledgers]
    print(*wrong, sep="\n")
    print(
        f"seed {seed}: {len(ledgers)} processes, {seconds:.0f} s: {sum(done)} succeeded"
        f" (each {min(done)} to {max(done)}), {sum(e.gave_up.total() for e in ledgers)} gave up,"
        f" {len(wrong)} of {COUNTERS} counters are wrong"
    )


if __name__ == "__main__":
    sys.exit(main())
