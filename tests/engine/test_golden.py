"""Every golden case by our routes, and by Delta's own commands, which prove the case.

A case is run in one or two of its forms (with vectors and without, partitioned and not), and every
fourth is proven again in one, which takes minutes. GOLDEN=all runs and proves every form.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from cases import CASES
from checks import check, check_agreement, check_native, check_ours, seed_of
from golden import ROW_TRACKING, GoldenCase, Variant, variants
from orders import delta, ours

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql import SparkSession

ALL = os.environ.get("GOLDEN") == "all"


def chosen_variants(cases: Iterable[GoldenCase]) -> Iterator[object]:
    for number, case in enumerate(cases):
        forms = tuple(variants(case))
        chosen = forms if ALL else _some(forms, number, case)
        for place, variant in enumerate(chosen):
            in_turn = number % 4 == 0 and place == number // 4 % len(chosen)
            proven = ALL or in_turn or ROW_TRACKING[0] in case.properties
            yield pytest.param(case, variant, proven, id=f"{case.title} [{variant}]")


def _some(forms: tuple[Variant, ...], number: int, case: GoldenCase) -> tuple[Variant, ...]:
    """Two opposite forms of every second MERGE, one in turn of the other cases."""
    corners = forms if len(forms) < 4 else _opposite_corners(forms, number // 2)
    if isinstance(case.statement, str) and number % 2 == 0:
        return corners
    return (corners[number // 4 % len(corners)],)


def _opposite_corners(forms: tuple[Variant, ...], number: int) -> tuple[Variant, ...]:
    """Of the square of vectors by partitions, one diagonal, the other for every second case."""
    return (forms[0], forms[3]) if number % 2 == 0 else (forms[1], forms[2])


class Golden:
    def test_a_change_leaves_the_expected_table(
        self, small: SparkSession, tmp_path: Path, case: GoldenCase, variant: Variant, proven: bool
    ) -> None:
        seed = seed_of(small, case, variant, tmp_path)
        outcome = seed.run(ours, "ours")
        check(seed, outcome)
        check_ours(seed, outcome)
        if proven:
            native = seed.run(delta, "native")
            check_native(seed, native)
            check_agreement(seed, outcome, native)


# Two classes, so that two processes can share the cases.
@pytest.mark.parametrize(("case", "variant", "proven"), tuple(chosen_variants(CASES[0::2])))
class TestEvenCases(Golden):
    pass


@pytest.mark.parametrize(("case", "variant", "proven"), tuple(chosen_variants(CASES[1::2])))
class TestOddCases(Golden):
    pass


def test_titles_tell_the_cases_apart() -> None:
    repeated = [title for title, count in Counter(c.title for c in CASES).items() if count > 1]
    assert repeated == []
