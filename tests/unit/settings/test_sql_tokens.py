"""Which words of a SQL text name columns."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.settings.sql_tokens import name_parts, qualified, unqualified, uses


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("lower(email) || id", "email id", "lower(T.email) || T.id"),
        ("lower(lower)", "lower", "lower(T.lower)"),
        ("a.b + `b`", "b", "a.b + T.`b`"),
        ("x -- x\n + x", "x", "T.x -- x\n + T.x"),
        ("x /* x */ + 'x' + \"x\"", "x", "T.x /* x */ + 'x' + \"x\""),
        ("date >= date'2026-01-01'", "date", "T.date >= date'2026-01-01'"),
        ("cast(at as date) = ts::date", "at ts date", "cast(T.at as date) = T.ts::date"),
        ("day > now() - interval 3 day", "day", "T.day > now() - interval 3 day"),
        ("extract(year from at) + year", "at year", "extract(year from T.at) + T.year"),
        ("substring(a from 2)", "a", "substring(T.a from 2)"),
        ("v is distinct from date", "v date", "T.v is distinct from T.date"),
        (
            "case when end > 1 then end else 2 end",
            "end",
            "case when T.end > 1 then T.end else 2 end",
        ),
        ("case a when 1 then 'x' end = end", "a end", "case T.a when 1 then 'x' end = T.end"),
        ("`end` + end", "end", "T.`end` + T.end"),
        ("filter(xs, x -> x > y)", "x xs y", "filter(T.xs, x -> x > T.y)"),
        ("aggregate(xs, 0, (a, x) -> a + x)", "a x xs", "aggregate(T.xs, 0, (a, x) -> a + x)"),
        ("10L + l + 1.5e3 + e3", "l e3", "10L + T.l + 1.5e3 + T.e3"),
        (r"replace(path, r'\\', 'name')", "path name", r"replace(T.path, r'\\', 'name')"),
        ("replace(path, '\\', 'name')", "path name", "replace(T.path, '\\', 'name')"),
        ("'it''s' || s", "s", "'it''s' || T.s"),
    ],
)
def test_columns_get_the_alias_and_other_words_do_not(
    text: str, columns: str, expected: str
) -> None:
    assert qualified(text, columns.split(), "T") == expected


def test_aliases_are_found_and_taken_away() -> None:
    assert uses("DBT_INTERNAL_SOURCE.a > 1", "dbt_internal_source")
    assert uses("x > `s`.a", "s")
    assert not uses("s > 1 or 's.a' = t.s.a", "s")
    assert unqualified("`s`.a = t.b and x.s.c > 's.d'", ["s", "t"]) == "a = b and x.s.c > 's.d'"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("total", ["total"]),
        ("DBT_INTERNAL_DEST.total", ["DBT_INTERNAL_DEST", "total"]),
        ("t.`a.b`.c", ["t", "a.b", "c"]),
        ("`a ``b``. c`", ["a `b`. c"]),
    ],
)
def test_the_parts_of_a_name(name: str, expected: list[str]) -> None:
    assert name_parts(name) == expected
