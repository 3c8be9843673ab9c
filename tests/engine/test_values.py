"""Values of every kind as keys and as payload, by our engine and by Delta's own commands.

A few of the trials run each time, others at the next commit, half of them by the users' limits;
VALUES=all runs all of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from differences import as_literal, compare
from golden import WriteRows
from limits import limits_drawn
from orders import delta, ours_by
from shapes import trials
from shapes.unsteady import UNSTEADY, Unsteady, facts_after
from shares import turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from golden import GoldenCase
    from orders import Engine
    from outcomes import Outcome
    from pyspark.sql import SparkSession
    from shapes.shape import Trial

ALL = os.environ.get("VALUES") == "all"
EVERY = 91
REFUSED = "DELTA_FAILED_TO_MERGE_FIELDS"


def chosen_trials() -> Iterator[object]:
    chosen = [*enumerate(trials())]
    for number, trial in chosen if ALL else chosen[turn() % EVERY :: EVERY]:
        limits = limits_drawn(number, turn())
        yield pytest.param(trial, ours_by(limits), id=f"{trial}-{limits}")


TRIALS = tuple(chosen_trials())


class Values:
    def test_values_end_as_delta_leaves_them(
        self, small: SparkSession, tmp_path: Path, trial: Trial, ours: Engine
    ) -> None:
        case = trial.case()
        with_blanks = trial.with_blanks().case() if is_char(trial) else None
        mine, proven, differences = compare(small, ours, case, tmp_path, with_blanks)
        if is_cast_by_ours_alone(case, mine, proven):
            return
        assert not differences, "\n".join((*differences, as_literal(case)))


def is_char(trial: Trial) -> bool:
    return trial.shape.kind.startswith("CHAR")


def is_cast_by_ours_alone(case: GoldenCase, mine: Outcome, proven: Outcome) -> bool:
    """Our writes cast to the table's types, as INSERT does, or say which value does not fit.

    Delta's `save` refuses other types.
    """
    refused = proven.failure is not None and REFUSED in proven.failure.classes
    cast = mine.failure is None or any(name.startswith("CAST_") for name in mine.failure.classes)
    return isinstance(case.statement, WriteRows) and refused and cast


# Two classes, so that two processes can share the trials.
@pytest.mark.parametrize(("trial", "ours"), TRIALS[0::2])
class TestEvenValues(Values):
    pass


@pytest.mark.parametrize(("trial", "ours"), TRIALS[1::2])
class TestOddValues(Values):
    pass


@pytest.mark.parametrize("vectors", (True, False) if ALL else (True,))
@pytest.mark.parametrize("unsteady", UNSTEADY if ALL else UNSTEADY[:2], ids=lambda each: each.title)
def test_what_a_source_that_is_never_the_same_leaves_has_the_same_facts(
    small: SparkSession, tmp_path: Path, unsteady: Unsteady, vectors: bool
) -> None:
    ours = ours_by(limits_drawn(UNSTEADY.index(unsteady), turn()))
    found, proven = (
        facts_after(small, engine, unsteady, tmp_path / name, vectors=vectors)
        for engine, name in ((ours, "ours"), (delta, "native"))
    )
    assert found == proven == unsteady.expected
