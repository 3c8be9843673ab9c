"""Our changes to tables that others wrote, against the truth: `python tests/engine/foreign.py`."""

from __future__ import annotations

import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from foreign_tables.trials import difference
from sessions import for_small_tables, forget_tables, local_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def run(spark: SparkSession, seed: int, numbers: Iterable[int]) -> int:
    """Prints every case that differs; how many there were."""
    failed = 0
    for done, number in enumerate(numbers):
        if done % 25 == 0:
            print(f"seed {seed}, case {number} …", flush=True)
            forget_tables(spark)
        report = difference(spark, seed, number)
        if report is not None:
            failed += 1
            print(f"{report}\n", flush=True)
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
