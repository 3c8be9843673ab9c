"""Which words of a SQL text name columns."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.settings.sql_tokens import (
    name_parts,
    qualified,
    unqualified,
    uses,
    without_semicolon,
)


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("lower(email) || id", "email id", "lower(T.email) || T.id"),
        ("lower(lower)", "lower", "lower(T.lower)"),
        ("a.b + `b`", "b", "a.b + T.`b`"),
        ("x -- x\n + x", "x", "T.x -- x\n + T.x"),
        ("/* x /* x */ x */ x -- x \\\n x\n + x", "x", "/* x /* x */ x */ T.x -- x \\\n x\n + T.x"),
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


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("day >= dateadd(day, -3, now())", "day", "T.day >= dateadd(day, -3, now())"),
        ("DATE_ADD(Month, 1, month)", "month", "DATE_ADD(Month, 1, T.month)"),
        ("datediff(day, day, f(a, b)) < 3", "day a", "datediff(day, T.day, f(T.a, b)) < 3"),
        ("date_diff(hour, a, hour)", "hour a", "date_diff(hour, T.a, T.hour)"),
        ("timestampadd(second, n, at)", "second n", "timestampadd(second, T.n, at)"),
        ("timestampdiff(week, at, now())", "week at", "timestampdiff(week, T.at, now())"),
        ("datediff(day, now()) + day", "day", "datediff(T.day, now()) + T.day"),
        ("date_add(day, 3)", "day", "date_add(T.day, 3)"),
        ("dateadd(`day`, 3, at)", "day", "dateadd(T.`day`, 3, at)"),
        ("date_trunc('day', day)", "day", "date_trunc('day', T.day)"),
        ("trunc(month, 'month')", "month", "trunc(T.month, 'month')"),
        ("extract(day from day)", "day", "extract(day from T.day)"),
        ("at - interval 1 day 2 hour", "at hour day", "T.at - interval 1 day 2 hour"),
        ("at + interval -1.5 days", "at days", "T.at + interval -1.5 days"),
        ("interval '1 2' day to hour + hour", "hour", "interval '1 2' day to hour + T.hour"),
        ("at - interval 1 day - 2 * hour", "hour", "at - interval 1 day - 2 * T.hour"),
        ("interval = day or interval - day > 1", "day", "interval = T.day or interval - T.day > 1"),
        ("interval + interval 2 day", "interval day", "T.interval + interval 2 day"),
    ],
)
def test_a_unit_of_time_is_no_column(text: str, columns: str, expected: str) -> None:
    assert qualified(text, columns.split(), "T") == expected


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("cast(x as struct<a:int>).a", "a x", "cast(T.x as struct<a:int>).a"),
        (
            "cast(x as array<struct<date date, b: map<string, date>>>) < date",
            "x date b",
            "cast(T.x as array<struct<date date, b: map<string, date>>>) < T.date",
        ),
        ("x::array<date>[date]", "x date", "T.x::array<date>[T.date]"),
        ("a < b and c > date", "a b c date", "T.a < T.b and T.c > T.date"),
        ("x::date < date and y:date > a", "date a", "x::date < T.date and y:date > T.a"),
        ("try_cast(x as interval day to hour)", "day hour", "try_cast(x as interval day to hour)"),
        ("x::interval day < day", "day", "x::interval day < T.day"),
        (
            "cast(x as timestamp without time zone)",
            "time zone",
            "cast(x as timestamp without time zone)",
        ),
        ("struct(x as `day`, day)", "day", "struct(x as `day`, T.day)"),
        (
            "date between date '2026-01-01' and date",
            "date",
            "T.date between date '2026-01-01' and T.date",
        ),
    ],
)
def test_a_type_and_the_fields_in_it_are_no_columns(text: str, columns: str, expected: str) -> None:
    assert qualified(text, columns.split(), "T") == expected


@pytest.mark.parametrize(
    ("text", "columns", "expected"),
    [
        ("map_filter(m, (k, v) -> v > k)", "m k v", "map_filter(T.m, (k, v) -> v > k)"),
        ("filter(xs, x -> f(x, y)) and x = 1", "x y", "filter(xs, x -> f(x, T.y)) and T.x = 1"),
        ("aggregate(x, y, (y, x) -> y, y -> y)", "x y", "aggregate(T.x, T.y, (y, x) -> y, y -> y)"),
        ("filter(xs, x -> exists(x, y -> y = x))", "x y", "filter(xs, x -> exists(x, y -> y = x))"),
        ("mask(x, upperChar => x)", "x upperchar", "mask(T.x, upperChar => T.x)"),
        ("x <=> y and x >= y", "x y", "T.x <=> T.y and T.x >= T.y"),
        ("trim(both from both)", "both", "trim(both from T.both)"),
        ("trim(x from y)", "x y", "trim(T.x from T.y)"),
    ],
)
def test_a_variable_and_the_name_of_an_argument_are_no_columns(
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


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("select 1;", "select 1"),
        ("select 1;\n; -- a; b\n", "select 1\n -- a; b\n"),
        ("select 1 ; /* a; */ ", "select 1  /* a; */ "),
        ("select ';' -- a;", "select ';' -- a;"),
        ("select r'\\';", "select r'\\'"),
        ("select '\\';'", "select '\\';'"),
        ("select `;`", "select `;`"),
        ("select 1; select 2;", "select 1; select 2"),
        (";", ""),
        ("", ""),
    ],
)
def test_a_query_loses_the_semicolon_at_its_end(query: str, expected: str) -> None:
    assert without_semicolon(query) == expected
