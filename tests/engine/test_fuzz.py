"""Random changes leave what Delta's own commands leave: others at each commit, or FUZZ_SEED's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from fuzz import told_of
from shares import seed_of_turn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CASES = int(os.environ.get("FUZZ_CASES", "20"))
SEED = int(os.environ.get("FUZZ_SEED") or seed_of_turn())


@pytest.mark.share(12)
@pytest.mark.parametrize(
    "number", range(CASES), ids=lambda number: f"--seed {SEED} --only {number}"
)
def test_a_random_change_leaves_what_delta_leaves(small: SparkSession, number: int) -> None:
    _, report = told_of(small, SEED, number)
    assert report is None, report
