"""Writers inside of each other leave what one order of them leaves: a sample of many more."""

from __future__ import annotations

from itertools import count, islice
from typing import TYPE_CHECKING

import pytest
from interleave import told_of
from interleavings.bench import Bench, Interleaved, Landing
from interleavings.drawn import CASES_OF_ONE_PAIR, random_writers
from interleavings.kinds import Kind
from interleavings.left import Left
from interleavings.moments import CALLS, watched
from interleavings.operations import Operation, sql
from interleavings.verdict import Serial, problems, serials
from shares import seed_of_turn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SEED = seed_of_turn()
"""Other writers at each commit."""
KIND = Kind(vectors=True, layout="plain", features=frozenset(), files=1)
ADD_TO_ROWS_COLLECTED_BEFORE = Operation(
    "rows = spark.sql('SELECT id, g, n + 1 AS n, v FROM {t} WHERE id = 3').collect()\n"
    "frame = spark.createDataFrame(rows, 'id BIGINT, g INT, n INT, v STRING')\n"
    "engine.write(frame, target, 'overwrite', replace_using=['id'])"
)
ADD_1000 = sql("UPDATE {t} SET n = n + 1000 WHERE id = 3")
EMPTY, FULL = Left(("id int",), (), ()), Left(("id int",), ("(1,)",), ())


@pytest.fixture(scope="module")
def bench(small: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(small, tmp_path_factory.mktemp("interleavings") / "tables")


def sample(seed: int) -> list[int]:
    """Of four pairs of writers, right before the commit and at another moment.

    The six orders of three writers take long.
    """
    pairs = (pair for pair in count() if len(random_writers(seed, pair).rivals) == 1)
    return [CASES_OF_ONE_PAIR * pair + case for pair in islice(pairs, 4) for case in (0, 2)]


@pytest.mark.share(8)
@pytest.mark.parametrize(
    "number", sample(SEED), ids=lambda number: f"--seed {SEED} --only {number}"
)
def test_what_is_left_is_what_some_order_of_the_writers_leaves(bench: Bench, number: int) -> None:
    report = told_of(bench, SEED, number).report
    assert report is None, f"seed {SEED}, case {number}: {report}"


def test_a_lost_update_is_found(bench: Bench) -> None:
    ours = ADD_TO_ROWS_COLLECTED_BEFORE
    found = bench.interleaved(KIND, ours, [Landing(ADD_1000, "before merge.source.evaluated")])
    orders = [*serials(bench, KIND, (ours, ADD_1000))]
    alone = [*serials(bench, KIND, (ADD_1000,))]
    assert found.missed == ()
    assert problems(found, orders, alone) == "no order of the writers leaves this"


@pytest.mark.parametrize(
    ("errors", "left", "problem"),
    [
        (("", ""), FULL, ""),
        (("", ""), EMPTY, "no order of the writers leaves this"),
        (("", "an error"), FULL, "no order of the writers leaves this"),
        (("a conflict", ""), EMPTY, ""),
        (("a conflict", ""), FULL, "ours failed, and the rivals alone leave something else"),
        (("CRASH", ""), EMPTY, "CRASH"),
    ],
)
def test_the_verdict(errors: tuple[str, ...], left: Left, problem: str) -> None:
    orders = [Serial((0, 1), ("", ""), FULL)]
    alone = [Serial((0,), ("",), EMPTY)]
    assert problems(Interleaved(errors, left, (), ()), orders, alone) == problem


def test_a_moment_whose_function_is_gone_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CALLS, "merge.conductor.no_such_function", ("before",))
    with (
        pytest.raises(LookupError, match=r"no merge\.conductor\.no_such_function any more"),
        watched(print),
    ):
        pass
