"""Values of every kind as keys and as payload, by our engine and by Delta's own commands.

A few of the trials run each time, others at the next commit; VALUES=all runs all of them.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from differences import as_literal, compare
from golden import WriteRows
from orders import delta, ours
from shapes import trials
from shapes.unsteady import UNSTEADY, Unsteady, facts_after
from shares import turn

if TYPE_CHECKING:
    from golden import GoldenCase
    from outcomes import Outcome
    from pyspark.sql import SparkSession
    from shapes.shape import Trial

ALL = os.environ.get("VALUES") == "all"
EVERY = 91
TRIALS = trials() if ALL else trials()[turn() % EVERY :: EVERY]
REFUSED = "DELTA_FAILED_TO_MERGE_FIELDS"


class Values:
    def test_values_end_as_delta_leaves_them(
        self, small: SparkSession, tmp_path: Path, trial: Trial
    ) -> None:
        case = trial.case()
        if isinstance(case.statement, WriteRows) and case.statement.replace_on and is_char(trial):
            pytest.xfail("Delta's analyzer of MERGE, which finds the matches, loses CHAR columns")
        mine, proven, differences = compare(small, ours, case, tmp_path)
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
@pytest.mark.parametrize("trial", TRIALS[0::2], ids=str)
class TestEvenValues(Values):
    pass


@pytest.mark.parametrize("trial", TRIALS[1::2], ids=str)
class TestOddValues(Values):
    pass


@pytest.mark.parametrize("vectors", (True, False) if ALL else (True,))
@pytest.mark.parametrize("unsteady", UNSTEADY if ALL else UNSTEADY[:2], ids=lambda each: each.title)
def test_what_a_source_that_is_never_the_same_leaves_has_the_same_facts(
    small: SparkSession, tmp_path: Path, unsteady: Unsteady, vectors: bool
) -> None:
    found, proven = (
        facts_after(small, engine, unsteady, tmp_path / name, vectors=vectors)
        for engine, name in ((ours, "ours"), (delta, "native"))
    )
    assert found == proven == unsteady.expected
