"""Every golden case by our routes, and by Delta's own commands, which prove the case.

A case is run in one of its forms (with vectors and without, partitioned and not). What Delta leaves
is on record in the cases, with the version of Delta that left it: a run proves a fourth of them
anew and those of row tracking, whose ids are compared, and all of them under another Delta. Half of
the cases are run by the users' limits, the others by those of large tables. Form, limits and proof
move with the commit. GOLDEN=all runs and proves every form. Over Spark Connect it is Delta's own
commands that carry out what the engine is asked.
"""

from __future__ import annotations

import os
from collections import Counter
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cases import CASES
from checks import (
    check,
    check_agreement,
    check_definition,
    check_native,
    check_of_server,
    check_ours,
    seed_at,
)
from golden import PROVEN_BY, ROW_TRACKING, GoldenCase, Variant, variants
from limits import limits_drawn
from orders import delta, ours_by
from pyspark.sql.utils import is_remote
from shares import drawn, turn
from targets import build_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from orders import Engine
    from pyspark.sql import SparkSession

    Built = Callable[[GoldenCase, Variant], Path]

ALL = os.environ.get("GOLDEN") == "all"
CHOICE = ("case", "variant", "ours", "proven")
UNREADABLE = pytest.mark.embedded("a client takes every text for UTF-8")
KNOWN_DELTA = version("delta-spark") == PROVEN_BY


def chosen_variants(cases: Iterable[GoldenCase]) -> Iterator[object]:
    for number, case in enumerate(cases):
        forms = tuple(variants(case))
        for variant in forms if ALL else _one(forms, number):
            limits = limits_drawn(number, turn() + variant.deletion_vectors)
            name = f"{case.title} [{variant}-{limits}]"
            marks = [UNREADABLE] if "no UTF-8" in case.title else []
            given = case, variant, ours_by(limits), _proves(case, number)
            yield pytest.param(*given, id=name, marks=marks)


def _one(forms: tuple[Variant, ...], number: int) -> tuple[Variant, ...]:
    """Another form at each commit."""
    return (forms[drawn("form", number, len(forms), turn())],)


def _proves(case: GoldenCase, number: int) -> bool:
    """Whether Delta's own command shows again that it leaves what the case says."""
    if ALL or not KNOWN_DELTA or ROW_TRACKING[0] in case.properties:
        return True
    return drawn("proof", number, 4, turn()) == 0


@pytest.fixture(scope="module")
def built(small: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A case's target in one of its forms: many cases begin with the same one."""
    folder = tmp_path_factory.mktemp("targets")
    known: dict[object, Path] = {}
    numbers = count()

    def target(case: GoldenCase, variant: Variant) -> Path:
        form = (case.target, case.properties, case.before, variant)
        if form not in known:
            path = folder / str(next(numbers))
            build_target(small, case, variant, path)
            known[form] = path
        return known[form]

    return target


@pytest.mark.share(48)
class Golden:
    def test_a_change_leaves_the_expected_table(
        self,
        small: SparkSession,
        tmp_path: Path,
        built: Built,
        case: GoldenCase,
        variant: Variant,
        ours: Engine,
        proven: bool,
    ) -> None:
        seed = seed_at(small, case, built(case, variant), tmp_path)
        outcome = seed.run(ours, "ours")
        if is_remote():
            check_of_server(seed, outcome)
            if proven:
                check_definition(outcome, seed.run(delta, "native"))
            return
        check(seed, outcome)
        check_ours(seed, outcome)
        if proven:
            native = seed.run(delta, "native")
            check_native(seed, native)
            check_agreement(seed, outcome, native)


# Two classes, so that two processes can share the cases.
@pytest.mark.parametrize(CHOICE, tuple(chosen_variants(CASES[0::2])))
class TestEvenCases(Golden):
    pass


@pytest.mark.parametrize(CHOICE, tuple(chosen_variants(CASES[1::2])))
class TestOddCases(Golden):
    pass


def test_titles_tell_the_cases_apart() -> None:
    repeated = [title for title, count in Counter(c.title for c in CASES).items() if count > 1]
    assert repeated == []
