"""Random merges by our engine and by Delta's: `python tests/engine/fuzz.py --seed 7`."""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from differences import as_golden, compare
from random_merges import random_case
from sessions import for_small_tables, local_spark

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from golden import GoldenCase
    from outcomes import Merge, Outcome
    from pyspark.sql import SparkSession


def numbered_case(seed: int, number: int) -> GoldenCase:
    """The same for the same seed and number, whatever ran before."""
    return random_case(Random(f"{seed}:{number}"), f"random merge {number} of seed {seed}")


def report_of(spark: SparkSession, merge: Merge, case: GoldenCase) -> tuple[Outcome, str | None]:
    """Our outcome, and the differences with the case as text if there are any."""
    with tempfile.TemporaryDirectory() as folder:
        ours, native, differences = compare(spark, merge, case, Path(folder))
        if not differences:
            return ours, None
        return ours, "\n".join((*differences, as_golden(spark, case, native)))


def run(spark: SparkSession, seed: int, numbers: Iterable[int]) -> int:
    """Prints every case that differs; how many there were."""
    failed, routes = 0, Counter[str]()
    for done, number in enumerate(numbers):
        if done % 25 == 0:
            print(f"seed {seed}, case {number} …", flush=True)
        ours, report = report_of(spark, engine.merge_into, numbered_case(seed, number))
        routes[ours.result.route if ours.failure is None else "error"] += 1
        if report is not None:
            failed += 1
            print(f"--- seed {seed}, case {number}\n{report}\n", flush=True)
    print(f"seed {seed}: {routes.total()} merges, {failed} differ; {dict(routes)}")
    return failed


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000))
    parser.add_argument("--only", type=int, help="run one case of the seed, by its number")
    options = parser.parse_args()
    numbers = range(options.cases) if options.only is None else (options.only,)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        spark = local_spark(Path(folder))
        try:
            return int(run(for_small_tables(spark), options.seed, numbers) > 0)
        finally:
            spark.stop()


if __name__ == "__main__":
    sys.exit(main())
