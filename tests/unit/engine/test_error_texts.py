"""The texts of the engine's errors stay short, whatever the rows are."""

from __future__ import annotations

from dbt.adapters.deltaspark.engine.errors import (
    ConstraintViolationError,
    Violation,
    row_text,
    value_text,
)

WIDE = {f"c{number}": number for number in range(100)}


def test_a_narrow_row_is_shown_whole_in_its_order() -> None:
    assert row_text({"id": 1, "name": "Ann", "gone": None}, "name = 'Bob'") == (
        "id = 1, name = 'Ann', gone = null"
    )


def test_of_a_wide_row_the_columns_that_it_is_shown_for_are_there() -> None:
    assert row_text(WIDE, "C99 > 5 or `c50` is null") == (
        "c0 = 0, c1 = 1, c2 = 2, c3 = 3, c4 = 4, c5 = 5, c50 = 50, c99 = 99, …"
    )


def test_a_name_of_several_words_is_found_in_the_sql() -> None:
    row = {**WIDE, "unit price": 7}
    assert "unit price = 7" in row_text(row, "`unit price` > 8")


def test_a_long_value_is_cut() -> None:
    assert value_text("x" * 500) == "'" + "x" * 78 + "…"
    assert value_text("x" * 78) == repr("x" * 78)


def test_of_many_constraints_some_are_shown() -> None:
    error = ConstraintViolationError(
        "t", [Violation(f"CHECK c{n}", 3, ("id = 1",)) for n in range(9)]
    )
    lines = str(error).splitlines()
    assert lines[-2] == "and 5 constraints more"
    assert len(lines) <= 11
    assert len(error.violations) == 9
