"""Processes killed in the middle of a change: `python tests/faults/kills.py --kills 300 --seed 1`.

After each kill the table is read by delta-rs and by Spark: its rows are those before the change or
those after it, its version says which, and the same change made again leaves those after it.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from accounts import ROUTES, create
from after_a_kill import State
from killed_process import folder_of
from killing import Kill, archived, killed, named_kills, random_kill
from sessions import for_small_tables, forget_tables, local_spark

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True, slots=True)
class Report:
    """What a kill left of the change that was in the air, and what is wrong with the tables."""

    kill: Kill
    left: str
    problem: str | None = None

    def __str__(self) -> str:
        return f"{self.kill}: {self.left}" + (f"\n  {self.problem}" if self.problem else "")


class Tables:
    """Tables to be copied, and the Spark that makes and reads them."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self.spark, self._folder = spark, folder
        for vectors in (True, False):
            create(spark, self._made(vectors), vectors=vectors)

    def _made(self, vectors: bool) -> Path:
        return self._folder / ("vectors" if vectors else "plain")

    def copied(self, folder: Path, routes: Sequence[str]) -> None:
        for route in routes:
            shutil.copytree(self._made(ROUTES[route].vectors), folder_of(folder, route))


def archive_of(tables: Tables, folder: Path) -> Path:
    """Loading classes is half of what a process does before it dies."""
    (unharmed := folder / "unharmed").mkdir()
    tables.copied(unharmed, [*ROUTES])
    return archived(folder / "classes.jsa", unharmed)


def kills_of(seed: int, count: int) -> list[Kill]:
    """Six of seven at named steps, none of them again before all were; the rest at any moment."""
    random, wanted = Random(seed), count - count // 7
    named: list[Kill] = []
    while len(named) < wanted:
        again = named_kills(random)
        random.shuffle(again)
        named += again
    return [*named[:wanted], *(random_kill(random) for _ in range(count // 7))]


def report_of(tables: Tables, kill: Kill, classes: Path | None = None) -> Report:
    """Start a process, with these classes, let it die, and look at what it left."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tables.copied(folder, kill.routes)
        try:
            ledger = killed(kill, folder, classes)
            left = {left_in(tables.spark, folder, route, ledger) for route in kill.routes}
            if kill.dies == "jvm":
                must_tell(ledger[-1], is_after="after" in left)
        # Whatever a reader raises is what the table's next reader would see.
        except Exception as error:
            return Report(kill, "BROKEN", f"{type(error).__name__}: {error}")
        finally:
            forget_tables(tables.spark)
    return Report(kill, min(left - {"nothing in the air"}, default="nothing in the air"))


def must_tell(line: dict[str, Any], *, is_after: bool) -> None:
    """The error of a process whose JVM is gone: what may be committed is not called undone."""
    told = ("UnknownOutcomeError",) if is_after else ("UnknownOutcomeError", "DriverLostError")
    if line["error"] not in told:
        raise AssertionError(f"the error is {line['error']}, not {' or '.join(told)}: {line}")


def left_in(spark: SparkSession, folder: Path, route: str, ledger: Iterable[dict[str, Any]]) -> str:
    """What is left of the route's last change; raises where the table is not as it must be."""
    of_route = [line for line in ledger if line.get("route") == route]
    finished = sum("finished" in line for line in of_route)
    state = State(spark, folder_of(folder, route), route, finished)
    left = state.left(in_the_air=len(of_route) > 2 * finished)
    state.change_again()
    return left


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000))
    parser.add_argument("--step", help="kills of this step alone")
    parser.add_argument("--workers", type=int, default=2, help="processes that die at a time")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        spark = for_small_tables(local_spark(Path(folder)))
        tables = Tables(spark, Path(folder))
        classes = archive_of(tables, Path(folder))
        reports = []
        with ThreadPoolExecutor(options.workers) as pool:
            kills = kills_of(options.seed, options.kills)
            if options.step is not None:
                kills = [kill for kill in kills if kill.step == options.step]
            for report in pool.map(lambda kill: report_of(tables, kill, classes), kills):
                print(f"{len(reports) + 1:4} {report}", flush=True)
                reports.append(report)
        spark.stop()
    return summed_up(options.seed, reports)


def summed_up(seed: int, reports: Sequence[Report]) -> int:
    """Prints what became of the kills, by step; 1 where a table was broken."""
    for name in ("step", "route"):
        counts: dict[str, Counter[str]] = {}
        for report in reports:
            of_kill = counts.setdefault(getattr(report.kill, name), Counter())
            of_kill[report.left] += 1
        print(f"\nby {name}:")
        for key, left in sorted(counts.items()):
            told = ", ".join(f"{count} {what}" for what, count in sorted(left.items()))
            print(f"  {key:32} {left.total():4}  {told}")
    broken = sum(report.problem is not None for report in reports)
    print(f"\nseed {seed}: {len(reports)} kills, {broken} broke something")
    return int(broken > 0)


if __name__ == "__main__":
    sys.exit(main())
