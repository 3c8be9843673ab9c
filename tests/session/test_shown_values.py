"""What queries give: nested values, numbers and bytes, exact in dbt's text and in its JSON."""

from __future__ import annotations

import io
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager


def query(manager: DeltaSparkConnectionManager, sql: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in manager.execute(sql, fetch=True)[1].rows]


def shown(manager: DeltaSparkConnectionManager, sql: str) -> Any:
    """What `dbt show --output json` prints of the query's one row, by the standard's JSON."""
    printed = io.StringIO()
    manager.execute(sql, fetch=True)[1].to_json(printed)
    (row,) = json.loads(printed.getvalue(), parse_float=str, parse_constant=pytest.fail)
    return row


def test_nested_values_are_json_with_all_their_digits(manager: DeltaSparkConnectionManager) -> None:
    row = shown(
        manager,
        "select named_struct('n', double('NaN'), 'i', array(float('-Infinity'), 0.1d), 'd',"
        " 12345678901234567890.123, 'b', 9007199254740993L, 'x', X'616263', 't', 'é\"') as s,"
        " map('k', 0.12345678901234567891) as m, array(X'616263', null) as a,"
        " named_struct('v', parse_json('{\"a\": 1}'), 'n', null) as v, map(1.50, 1) as k,"
        " cast(null as struct<a: int>) as nothing",
    )
    assert row["s"] == (
        '{"n": "NaN", "i": ["-Infinity", 0.1], "d": 12345678901234567890.123,'
        ' "b": 9007199254740993, "x": "YWJj", "t": "\\u00e9\\""}'
    )
    assert row["m"] == '{"k": 0.12345678901234567891}'
    assert row["a"] == '["YWJj", null]'
    assert row["v"] == '{"v": {"a":1}, "n": null}'
    assert (row["k"], row["nothing"]) == ('{"1.50": 1}', None)


def test_numbers_and_bytes_are_shown_exactly(manager: DeltaSparkConnectionManager) -> None:
    sql = (
        "select 12345678901234567890.123 as d, cast(5 as decimal(10, 0)) as w, 0.10 as c,"
        " 9007199254740993L as b, double('NaN') as n, -float('Infinity') as i, 1e300d as e,"
        " cast(99999999999999999999999999999999999999 as decimal(38, 0)) as h, X'616263' as x"
    )
    assert shown(manager, sql) == {
        "d": "12345678901234567890.123",
        "w": 5,
        "c": "0.1",
        "b": 9007199254740993,
        "n": "NaN",
        "i": "-Infinity",
        "e": "1e+300",
        "h": 99999999999999999999999999999999999999,
        "x": "YWJj",
    }
    ((d, w, c, b, *_),) = query(manager, sql)
    assert (d, w + c, b) == (Decimal("12345678901234567890.123"), Decimal("5.10"), 2**53 + 1)


def test_numbers_of_any_size_print_in_a_table(manager: DeltaSparkConnectionManager) -> None:
    printed = io.StringIO()
    sql = "select 1e300d as e, 1234.56789 as d, cast(7 as decimal(38, 18)) as w, double('NaN') as n"
    manager.execute(sql, fetch=True)[1].print_table(output=printed)
    line = printed.getvalue().splitlines()[2]
    assert [each.strip() for each in line.strip("|").split("|")] == [
        "1E+300",
        "1234.56789",
        "7.000000000000000000",
        "NaN",
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("named_struct('v', {v}, 't', {t})", '{"v": {"a":1}, "t": "2013-07-01T12:00:00"}'),
        ("named_struct('v', {v}, 'm', interval '2' month)", '{"v": {"a":1}, "m": "{i}"}'),
        ("array(named_struct('v', {v}, 't', {t}))", '[{"v": {"a":1}, "t": "2013-07-01T12:00:00"}]'),
        (
            "map({t}, named_struct('s', named_struct('v', {v}, 't', {t})))",
            '{"2013-07-01 12:00:00": {"s": {"v": {"a":1}, "t": "2013-07-01T12:00:00"}}}',
        ),
        ("if(rand() > 2, named_struct('v', {v}, 't', {t}), null)", None),
        (
            "named_struct('a', array({v}, null), 't', {t})",
            '{"a": [{"a":1}, null], "t": "2013-07-01T12:00:00"}',
        ),
    ],
    ids=["struct", "months", "array", "map", "null", "beside"],
)
def test_a_nested_variant_beside_what_python_has_not_is_fetched(
    manager: DeltaSparkConnectionManager, value: str, expected: str | None
) -> None:
    v, t = "parse_json('{\"a\": 1}')", "timestamp'2013-07-01 12:00:00'"
    sql = "select " + value.replace("{v}", v).replace("{t}", t) + " as x"
    months = "INTERVAL '2' MONTH"
    assert query(manager, sql) == [(expected and expected.replace("{i}", months),)]
