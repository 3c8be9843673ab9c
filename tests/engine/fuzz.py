"""Random changes by our engine and by Delta's: `python tests/engine/fuzz.py --seed 7`."""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from differences import as_golden, as_literal, compare, compare_sequence
from limits import limits_drawn
from orders import ours_by
from random_changes import Sequence, random_change, random_sequence
from random_merges import random_case
from sessions import for_small_tables, forget_tables, local_spark

if TYPE_CHECKING:
    from golden import GoldenCase
    from orders import Engine
    from outcomes import Outcome
    from pyspark.sql import SparkSession


def numbered_case(seed: int, number: int) -> GoldenCase | Sequence:
    """The same for the same seed and number, whatever ran before."""
    random = Random(f"{seed}:{number}")
    match number % 5:
        case 3:
            return random_change(random, f"random change {number} of seed {seed}")
        case 4:
            return random_sequence(random, f"random sequence {number} of seed {seed}")
        case _:
            return random_case(random, f"random merge {number} of seed {seed}")


def told_of(spark: SparkSession, seed: int, number: int) -> tuple[Outcome, str | None]:
    """Of one case of the seed, by the limits that are drawn with it."""
    limits = limits_drawn(number, seed)
    outcome, report = report_of(spark, ours_by(limits), numbered_case(seed, number))
    return outcome, report and f"--- seed {seed}, case {number}, {limits}\n{report}"


def report_of(
    spark: SparkSession, engine: Engine, case: GoldenCase | Sequence
) -> tuple[Outcome, str | None]:
    """Our outcome, of a sequence the last one, and the differences with the case as text."""
    with tempfile.TemporaryDirectory() as folder:
        if isinstance(case, Sequence):
            outcome, native, step, differences = compare_sequence(spark, engine, case, Path(folder))
            earlier = [as_literal(each) for each in case.steps[: case.steps.index(step)]]
        else:
            outcome, native, differences = compare(spark, engine, case, Path(folder))
            step, earlier = case, []
        if not differences:
            return outcome, None
        return outcome, "\n".join((*earlier, *differences, as_golden(spark, step, native)))


def run(spark: SparkSession, seed: int, numbers: Iterable[int]) -> int:
    """Prints every case that differs; how many there were."""
    failed, routes = 0, Counter[str]()
    for done, number in enumerate(numbers):
        if done % 25 == 0:
            print(f"seed {seed}, case {number} …", flush=True)
        outcome, report = told_of(spark, seed, number)
        routes[outcome.result.route if outcome.failure is None else "error"] += 1
        forget_tables(spark)
        if report is not None:
            failed += 1
            print(f"{report}\n", flush=True)
    print(f"seed {seed}: {routes.total()} cases, {failed} differ; {dict(routes)}")
    return failed


def run_apart(seed: int, numbers: Iterable[int]) -> int:
    """The same on a Spark of this process's own."""
    with tempfile.TemporaryDirectory() as folder:
        spark = local_spark(Path(folder))
        try:
            return run(for_small_tables(spark), seed, numbers)
        finally:
            spark.stop()


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000))
    parser.add_argument("--first", type=int, default=0, help="go on from this case of the seed")
    parser.add_argument("--only", type=int, help="run one case of the seed, by its number")
    parser.add_argument("--workers", type=int, default=1, help="processes, each with its own Spark")
    options = parser.parse_args()
    numbers = range(options.first, options.cases) if options.only is None else (options.only,)
    if not numbers:
        parser.error(f"no case from {options.first} on, of {options.cases}")
    print(f"seed {options.seed}", flush=True)
    parts = [numbers[first :: options.workers] for first in range(options.workers)]
    with ProcessPoolExecutor(options.workers, mp_context=get_context("spawn")) as processes:
        failed = sum(processes.map(run_apart, [options.seed] * len(parts), parts))
    print(f"seed {options.seed}: {len(numbers)} cases, {failed} differ")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
