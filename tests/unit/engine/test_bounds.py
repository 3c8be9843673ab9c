"""Bounds of the source's keys, and the files that may hold them by their minima and maxima."""

from __future__ import annotations

from typing import Any

import pytest

from dbt.adapters.deltaspark.engine.merge.bounds import bound_of, may_hold
from dbt.adapters.deltaspark.engine.merge.key_values import KeyValues
from dbt.adapters.deltaspark.engine.merge.resolve import KeyPair

FILE = {"minValues": {"id": 5, "v": "b", "ratio": 0.5}, "maxValues": {"id": 9, "v": "d"}}


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ([("id", 1, 4)], False),
        ([("id", 1, 5)], True),
        ([("id", 6, 7)], True),
        ([("id", 9, 20)], True),
        ([("id", 10, 20)], False),
        ([("v", "a", "azz")], False),
        ([("v", "d", "e")], True),
        ([("id", 6, 7), ("v", "e", "f")], False),
        ([("id", 6, 7), ("v", "c", "c")], True),
        ([("id", "6", "7")], None),
        ([("id", 6.0, 7.0)], None),
        ([("ratio", 0.1, 0.2)], None),
        ([("ID", 6, 7)], None),
        ([("id", 1, 4), ("other", 1, 4)], None),
    ],
)
def test_a_file_is_left_out_by_what_its_statistics_say(
    bounds: list[Any], expected: bool | None
) -> None:
    assert may_hold(bounds, FILE) is expected


@pytest.mark.parametrize(
    "statistics",
    [
        {},
        {"numRecords": 3},
        {"minValues": {"id": 1}},
        {"minValues": [1], "maxValues": [9]},
        {"minValues": {"id": 1}, "maxValues": "9"},
    ],
)
def test_missing_statistics_do_not_tell(statistics: dict[str, Any]) -> None:
    assert may_hold([("id", 6, 7)], statistics) is None


@pytest.mark.parametrize(
    ("least", "greatest", "expected"),
    [
        ("\ufffd", "é", None),
        ("ab\ufffd", "zz", None),
        ("b", "\ufffd", None),
        ("b", "x" * 31 + "\ufffd", None),
        ("b", "x" * 32 + "\ufffd", None),
    ],
)
def test_a_text_that_was_no_utf_8_tells_nothing_of_others(
    least: str, greatest: str, expected: bool | None
) -> None:
    statistics = {"minValues": {"v": least}, "maxValues": {"v": greatest}}
    assert may_hold([("v", "c", "c")], statistics) is expected


class Named:
    """A column of the target, as the JVM shows it."""

    def __init__(self, name: str, kind: str) -> None:
        self._name, self._kind = name, kind

    def name(self) -> str:
        return self._name

    def dataType(self) -> Named:
        return self

    def sql(self) -> str:
        return self._kind


def key(column: str, source: str, **given: Any) -> KeyPair:
    known = {"null_safe": False, "is_partition": False, "label": "k", **given}
    return KeyPair(target=None, source=None, column=Named("k", column), kind=source, **known)


@pytest.mark.parametrize(
    ("pair", "values", "expected"),
    [
        (key("BIGINT", "bigint"), KeyValues(1, 9, 0), ("k", 1, 9)),
        (key("TINYINT", "int"), KeyValues(-1000, 9, 0), ("k", -128, 9)),
        (key("INT", "double"), KeyValues(1.5, 8.5, 0), ("k", 2, 8)),
        (key("STRING", "string"), KeyValues("a", "b", 0), ("k", "a", "b")),
        (key("BIGINT", "bigint", null_safe=True), KeyValues(1, 9, 0), ("k", 1, 9)),
        (key("BIGINT", "bigint", null_safe=True), KeyValues(1, 9, 1), None),
        (key("BIGINT", "bigint", is_partition=True), KeyValues(1, 9, 0), None),
        (key("BIGINT", "bigint"), KeyValues(1, 9, 0, ranges=((1, 2), (8, 9))), None),
        (key("BIGINT", "bigint"), KeyValues(None, None, 3), None),
        (key("BIGINT", "bigint"), None, None),
        (key("STRING COLLATE UNICODE", "string collate unicode"), KeyValues("a", "b", 0), None),
        (key("DATE", "date"), KeyValues("2026-01-01", "2026-01-02", 0), None),
        (key("DOUBLE", "double"), KeyValues(1.0, 2.0, 0), None),
    ],
)
def test_bounds_are_those_of_the_values_that_the_key_can_equal(
    pair: KeyPair, values: KeyValues | None, expected: object
) -> None:
    assert bound_of(pair, values) == expected
