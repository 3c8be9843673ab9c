"""Random interleavings of two and three writers: `python tests/engine/interleave.py --seed 7`."""

from __future__ import annotations

import re
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from random import Random
from traceback import format_exc
from typing import TYPE_CHECKING

from interleavings.bench import Bench
from interleavings.drawn import CASES_OF_ONE_PAIR, Writers, landings, random_writers
from interleavings.operations import TARGET, in_folder
from interleavings.verdict import fails_needlessly, problems, serials
from limits import KINDS
from py4j.protocol import Py4JError
from sessions import for_small_tables, local_spark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from interleavings.bench import Interleaved, Landing
    from interleavings.left import Left
    from interleavings.verdict import Serial

CASES_UNTIL_FORGOTTEN, CASES_UNTIL_TOLD = 40, 20
CASES_OF_ONE_SPARK = 28 * CASES_OF_ONE_PAIR
SHOWN_IN = Path("/tmp/interleaving")


@dataclass(slots=True)
class Told:
    """What a case came to: its report where no order explains it, and what was counted."""

    report: str | None
    moments: tuple[str, ...]
    missed: int
    needless: str
    """The error of ours where ours succeeds in every order."""


@dataclass(slots=True)
class Totals:
    cases: int = 0
    wrong: int = 0
    missed: int = 0
    moments: Counter[str] = field(default_factory=Counter)
    needless: Counter[str] = field(default_factory=Counter)

    def add(self, told: Told) -> None:
        self.cases += 1
        self.wrong += told.report is not None
        self.missed += told.missed
        self.moments.update(told.moments)
        if told.needless:
            self.needless[told.needless] += 1


def told_of(bench: Bench, seed: int, number: int) -> Told:
    """Run one case of the seed; one that cannot be run is not explained either.

    All cases of one Spark have the same limits, as what they have run serves later ones.
    """
    limits = KINDS[(seed + number // CASES_OF_ONE_SPARK) % len(KINDS)]
    try:
        with limits.in_force():
            return _told_of(bench, seed, number)
    except Exception:
        return Told(f"it could not be run\n{format_exc()}", (), 0, "")


def _told_of(bench: Bench, seed: int, number: int) -> Told:
    pair, case = divmod(number, CASES_OF_ONE_PAIR)
    writers = random_writers(seed, pair)
    landed = landings(bench, writers, case)
    found = bench.interleaved(writers.kind, writers.ours, landed)
    orders = [*serials(bench, writers.kind, (writers.ours, *writers.rivals))]
    without_ours = [*serials(bench, writers.kind, writers.rivals)]
    problem = problems(found, orders, without_ours)
    report = None
    if problem:
        report = f"{problem}\n{_shown(writers, landed, found, orders)}"
    needless = _class_of(found.errors[0]) if fails_needlessly(found, orders) else ""
    moments = tuple(landing.moment for landing in landed)
    return Told(report, moments, len(found.missed), needless)


def _class_of(error: str) -> str:
    condition = re.search(r"\[([A-Z_.]+)\]", error)
    return condition.group(1) if condition else error[:80]


def _shown(
    writers: Writers, landed: Sequence[Landing], found: Interleaved, orders: Sequence[Serial]
) -> str:
    """The case as text to paste, with what was left."""
    lines = [f"table: {writers.kind}"]
    lines += [f"    spark.sql({text!r})" for text in _in_view(*writers.kind.statements())]
    lines += ["ours:", *_indented(writers.ours.text)]
    for number, landing in enumerate(landed, start=1):
        lines += [f"rival {number}, {landing.moment} (time {landing.nth}):"]
        lines += _indented(landing.operation.text)
    lines += [f"left by the interleaving, errors {found.errors}:", f"    {found.left}"]
    if found.missed:
        lines += [f"moments that did not come, so their rivals followed: {found.missed}"]
    lefts: dict[Left, list[str]] = {}
    for each in orders:
        lefts.setdefault(each.left, []).append(f"{each.order}, errors {each.errors}")
    for left, texts in lefts.items():
        lines += [f"left by the order {'; by '.join(texts)}:", f"    {left}"]
    return "\n".join(lines)


def _in_view(*texts: str) -> list[str]:
    return [in_folder(text, SHOWN_IN) for text in texts]


def _indented(text: str) -> list[str]:
    target = f"target = engine.DeltaTarget.for_path(spark, {str(SHOWN_IN / TARGET)!r})"
    (shown,) = _in_view(text)
    needed = [target] if "target" in shown else []
    return [f"    {line}" for line in (*needed, *shown.splitlines())]


def run(bench: Bench, seed: int, numbers: Iterable[int]) -> Totals:
    """Prints every case that no order explains."""
    totals, started = Totals(), time.monotonic()
    for number in numbers:
        told = told_of(bench, seed, number)
        totals.add(told)
        if told.report is not None:
            print(f"--- seed {seed}, case {number}: {told.report}\n", flush=True)
        if totals.cases % CASES_UNTIL_FORGOTTEN == 0:
            with suppress(Py4JError, OSError):  # a JVM that is gone is told of with the next case
                bench.forget()
        if totals.cases % CASES_UNTIL_TOLD == 0:
            seconds = (time.monotonic() - started) / totals.cases
            print(f"seed {seed}, case {number}: {seconds:.1f} s a case", flush=True)
    return totals


def run_apart(seed: int, numbers: Sequence[int]) -> Totals:
    """The same on a Spark of this process's own, which ends with it."""
    with tempfile.TemporaryDirectory() as folder:
        spark = local_spark(Path(folder))
        jvm = spark.sparkContext._gateway.proc
        totals = run(Bench(for_small_tables(spark), Path(folder) / "tables"), seed, numbers)
        ended = jvm.poll()
        if ended is not None:
            cases = f"cases {numbers[0]} to {numbers[-1]}"
            print(f"seed {seed}, {cases}: the JVM ended with {ended}", flush=True)
        else:
            spark.stop()
        return totals


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000))
    parser.add_argument("--first", type=int, default=0, help="go on from this case of the seed")
    parser.add_argument("--only", type=int, help="run one case of the seed, by its number")
    parser.add_argument("--workers", type=int, default=1, help="processes, each with its own Spark")
    options = parser.parse_args()
    numbers = range(options.first, options.cases) if options.only is None else (options.only,)
    if not numbers:
        parser.error(f"no case from {options.first} on, of {options.cases}")
    print(f"seed {options.seed}", flush=True)
    started = time.monotonic()
    parts = _parts([*numbers])
    with ProcessPoolExecutor(
        options.workers, mp_context=get_context("spawn"), max_tasks_per_child=1
    ) as processes:
        totals = [*processes.map(run_apart, [options.seed] * len(parts), parts)]
    _print(options.seed, totals, time.monotonic() - started)
    return int(any(each.wrong for each in totals))


def _parts(numbers: list[int]) -> list[list[int]]:
    """What one Spark runs: the cases of a pair are together, as its orders are run once."""
    parts: dict[int, list[int]] = {}
    for number in numbers:
        parts.setdefault(number // CASES_OF_ONE_SPARK, []).append(number)
    return [*parts.values()]


def _print(seed: int, totals: Sequence[Totals], seconds: float) -> None:
    cases, wrong = sum(each.cases for each in totals), sum(each.wrong for each in totals)
    moments = sum((each.moments for each in totals), Counter())
    needless = sum((each.needless for each in totals), Counter())
    missed = sum(each.missed for each in totals)
    print(f"moments: {dict(moments.most_common())}, {missed} of them did not come")
    print(f"ours failed where it succeeds in every order: {dict(needless.most_common())}")
    print(f"seed {seed}: {cases} cases in {seconds:.0f} s, {wrong} that no order leaves")


if __name__ == "__main__":
    sys.exit(main())
