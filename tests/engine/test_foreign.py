"""Our changes to tables of Spark and delta-rs leave what a scan of all rows says they must: others
at each commit, or FOREIGN_SEED's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from foreign_tables.trials import difference
from shares import seed_of_turn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CASES = int(os.environ.get("FOREIGN_CASES", "96"))
SEED = int(os.environ.get("FOREIGN_SEED") or seed_of_turn())


@pytest.mark.share(12)
@pytest.mark.embedded("it is the engine's own choice of files that is looked at")
@pytest.mark.parametrize(
    "number", range(CASES), ids=lambda number: f"--seed {SEED} --only {number}"
)
def test_a_change_leaves_what_a_whole_scan_says(small: SparkSession, number: int) -> None:
    report = difference(small, SEED, number)
    assert report is None, report
