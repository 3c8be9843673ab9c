"""Random merges leave what Delta's own MERGE leaves; FUZZ_SEED repeats a run."""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest
from fuzz import numbered_case, report_of

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CASES = int(os.environ.get("FUZZ_CASES", "20"))


@pytest.fixture(scope="module")
def seed() -> int:
    return int(os.environ.get("FUZZ_SEED") or Random().randrange(1_000_000))


@pytest.mark.parametrize("number", range(CASES))
def test_a_random_merge_leaves_what_delta_leaves(
    small: SparkSession, seed: int, number: int
) -> None:
    print(f"FUZZ_SEED={seed}, case {number}")
    _, report = report_of(small, engine.merge_into, numbered_case(seed, number))
    assert report is None, f"seed {seed}, case {number}\n{report}"
