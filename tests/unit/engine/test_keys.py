"""Ranges of a key's values, from what each slice of its whole range holds."""

from __future__ import annotations

from dbt.adapters.deltaspark.engine.merge.key_values import MOST_RANGES, SLICES, is_even, ranges_of


def test_slices_are_parted_at_their_gaps() -> None:
    slices = [(SLICES, 990, 1000), (0, 1, 2), (1, 3, 4), (3, 8, 9)]
    assert ranges_of(slices) == ((1, 4), (8, 9), (990, 1000))


def test_only_the_widest_gaps_part_them() -> None:
    slices = [(number * 20, number, number) for number in range(SLICES // 20)]
    slices.append((SLICES, 500, 501))
    ranges = ranges_of(slices)
    assert len(ranges) == MOST_RANGES
    assert (ranges[0][0], ranges[-1]) == (0, (500, 501))
    assert all(before[1] < after[0] for before, after in zip(ranges, ranges[1:], strict=False))


def test_narrow_gaps_are_not_worth_their_tests() -> None:
    assert ranges_of([(number, number, number) for number in range(SLICES)]) == ()
    assert ranges_of([(number, number, number) for number in range(SLICES) if number != 9]) == ()


def test_values_without_distances_are_one_slice() -> None:
    assert ranges_of([]) == ()
    assert ranges_of([(None, "a", "b")]) == ()  # type: ignore[list-item]


def test_numbers_that_may_fill_their_range() -> None:
    assert is_even(0, 100, 50, 29)
    assert not is_even(0, 100, 95, 3)
    assert not is_even(0, 100, 50, 50)
    assert not is_even(float("nan"), 1, 1, 1)
