"""A sample of `make faults`: a change is killed, and its table is whole."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from accounts import ROUTES
from killed_process import CALLS, FILES
from killing import Kill, reaches
from kills import Tables, kills_of, report_of
from sessions import for_small_tables

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return Tables(for_small_tables(spark), tmp_path_factory.mktemp("tables"))


@pytest.mark.share(4)
@pytest.mark.parametrize(
    ("kill", "left"),
    [
        (Kill(("deletion_vectors",), "before the commit", "python"), "before"),
        (Kill(("classic",), "the commit is there", "all"), "after"),
        (Kill(("update",), "the commit is there", "jvm"), "after"),
    ],
    ids=str,
)
def test_a_killed_change_leaves_the_table_whole_and_can_be_made_again(
    tables: Tables, kill: Kill, left: str
) -> None:
    report = report_of(tables, kill)
    assert (report.left, report.problem) == (left, None)


def test_the_kills_of_a_seed_are_the_same_again_and_300_have_every_step_of_every_route() -> None:
    kills = kills_of(seed=1, count=300)
    assert kills == kills_of(seed=1, count=300) != kills_of(seed=2, count=300)
    every = {each for each in product(ROUTES, (*CALLS, *FILES)) if reaches(*each)}
    both = [(kill.route, kill.step) for kill in kills if kill.dies == "all"]
    assert {*both} >= every <= {(kill.route, kill.step) for kill in kills if kill.dies != "all"}
