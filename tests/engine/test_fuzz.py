"""Random changes leave what Delta's own commands leave: the same each time, or FUZZ_SEED's."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from fuzz import numbered_case, report_of
from orders import ours

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CASES = int(os.environ.get("FUZZ_CASES", "20"))


@pytest.fixture(scope="module")
def seed() -> int:
    return int(os.environ.get("FUZZ_SEED") or 777)


@pytest.mark.share(12)
@pytest.mark.parametrize("number", range(CASES))
def test_a_random_change_leaves_what_delta_leaves(
    small: SparkSession, seed: int, number: int
) -> None:
    print(f"FUZZ_SEED={seed}, case {number}")
    _, report = report_of(small, ours, numbered_case(seed, number))
    assert report is None, f"seed {seed}, case {number}\n{report}"
