"""At which semicolons a text of several statements is split."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.session import texts_of

WHOLE = [
    "select ';' as a, \";\" as b, `a;b`",
    "select 'it\\'s; one', 'it''s; one'",
    "select r'\\', r';', R\";\" from t where bar = ';'",
    "select 1 -- one; two\n",
    "select 1 -- goes on; \\\n in the next; line",
    "select /* a; /* nested; */ b; */ 1",
    "select 1 /* without an end; ",
    "select /*+ broadcast(t) */ 1;",
    "create function f() returns string return $$a;b$$",
    "begin declare x int; set x = 1; select x; end",
    "-- a script\none: Begin select 1; select 2; end;",
    ";;",
    "",
]


@pytest.mark.parametrize("text", WHOLE)
def test_a_text_of_one_statement_stays_as_it_is(text: str) -> None:
    assert texts_of(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set a = 1; select 2", ["set a = 1", "select 2"]),
        ("a;;b;", ["a", "b"]),
        ("-- first\na; -- second;\nb; /* no; third */", ["-- first\na", "-- second;\nb"]),
        (
            "select ';'; select r'\\'; select 'it''s'",
            ["select ';'", "select r'\\'", "select 'it''s'"],
        ),
        ("select a;b", ["select a", "b"]),
        ("set a=1; begin select 1; select 2; end", ["set a=1", "begin select 1; select 2; end"]),
        ("select begin; b", ["select begin", "b"]),
        ("; select 1", ["select 1"]),
        ("-- none here\n;\n;select ';' as a", ["select ';' as a"]),
    ],
)
def test_a_text_of_several_is_split(text: str, expected: list[str]) -> None:
    assert texts_of(text) == expected


def test_a_text_may_be_long() -> None:
    values = ", ".join(f"({each}, ';')" for each in range(20_000))
    assert texts_of(f"insert into t values {values}; b")[1:] == ["b"]
