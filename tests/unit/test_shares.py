"""A run takes its share of the tests that are marked so, and the shares of n commits are all."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from shares import drawn, in_turn


@dataclass(frozen=True, slots=True)
class Item:
    nodeid: str
    n: int | None = None
    together: bool = False

    def get_closest_marker(self, name: str) -> Any:
        assert name == "share"
        options = {"together": self.together}
        return None if self.n is None else SimpleNamespace(args=(self.n,), kwargs=options)


def names(items: list[Any]) -> list[str]:
    return [item.nodeid for item in items]


def test_a_test_that_is_not_marked_is_always_run() -> None:
    items: list[Any] = [Item("test_a"), Item("test_b[1]")]
    assert in_turn(items, 7) == (items, [])


@pytest.mark.parametrize("n", [2, 3, 5])
def test_each_turn_takes_a_share_and_n_turns_take_each_test_once(n: int) -> None:
    items: list[Any] = [Item(f"test_a[{i}]", n) for i in range(4 * n)]
    shares = [in_turn(items, turn)[0] for turn in range(100, 100 + n)]
    assert [len(share) for share in shares] == [4] * n
    assert sorted(names([item for share in shares for item in share])) == sorted(names(items))


def test_of_pairs_a_share_has_both_kinds() -> None:
    items: list[Any] = [
        Item(f"test_a[{step}-{kind}]", 2) for step in "abcd" for kind in ("vectors", "plain")
    ]
    taken = names(in_turn(items, 0)[0])
    assert {name.partition("-")[2] for name in taken} == {"vectors]", "plain]"}
    assert len({name.partition("-")[0] for name in taken}) == 4


def test_functions_are_counted_apart() -> None:
    one = [Item(f"test_a[{i}]", 2) for i in range(4)]
    other = [Item(f"test_b[{i}]", 2) for i in range(4)]
    mixed: list[Any] = [item for pair in zip(one, other, strict=True) for item in pair]
    alone = [*in_turn([*one], 0)[0], *in_turn([*other], 0)[0]]
    assert sorted(names(in_turn(mixed, 0)[0])) == sorted(names(alone))


def test_a_class_is_taken_whole_at_one_of_n_turns() -> None:
    items: list[Any] = [Item(f"t.py::{c}::test_{i}", 2, together=True) for c in "AB" for i in "xyz"]
    for each in (items[:3], items[3:]):
        taken = [in_turn(each, turn)[0] for turn in (0, 1)]
        assert [] in taken and each in taken


def test_single_tests_do_not_all_fall_to_one_turn() -> None:
    items: list[Any] = [Item(f"test_{i}", 3) for i in range(60)]
    assert all(10 <= len(in_turn(items, turn)[0]) <= 30 for turn in range(3))


@pytest.mark.parametrize("forms", [1, 2, 4])
def test_a_case_is_taken_in_each_form_with_a_proof_and_without(forms: int) -> None:
    items: list[Any] = [Item(f"test_a[{i}]", 36) for i in range(72)]
    found = {
        (item.nodeid, drawn("form", i, forms, turn), drawn("proof", i, 4, turn) == 0)
        for turn in range(3_600)
        for item in in_turn(items, turn)[0]
        for i in [items.index(item)]
    }
    assert len(found) == len(items) * forms * 2
