"""Texts of several statements."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.materialize.headers import statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set a=1;\n-- the end\n", ["set a=1"]),
        ("a;;b;", ["a", "b"]),
        ("insert into t select 1;\n/* done */", ["insert into t select 1"]),
        (["a; b", "c"], ["a", "b", "c"]),
        ("select '-- no comment; ' as x", ["select '-- no comment; ' as x"]),
        ("", []),
        ("delete from t where GO and a = 1; b", ["delete from t where GO and a = 1", "b"]),
        ("select 1 as GO -- x\nunion all select 2", ["select 1 as GO -- x\nunion all select 2"]),
    ],
)
def test_each_is_taken_alone_and_what_says_nothing_is_left_out(
    text: str | list[str], expected: list[str]
) -> None:
    assert statements(text) == expected


def test_a_statement_may_be_long() -> None:
    merge = f"update t set {', '.join(f'c{each} = s.c{each}' for each in range(5000))}"
    assert statements(f"{merge};") == [merge]
