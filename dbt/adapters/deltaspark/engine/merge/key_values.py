"""Merge keys: what is known of their values in the source, and which file ranges they can meet."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from ..delta import JavaObject

Value: TypeAlias = int | float | str
"""A key's value as Python carries it without loss: see `portable`."""

INTEGRAL = {
    "tinyint": (-(2**7), 2**7 - 1),
    "smallint": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "bigint": (-(2**63), 2**63 - 1),
}
"""Smallest and largest value of the integral types."""

EXACT_IN_DOUBLE = 2**53
MOST_RANGES = 16
SLICES = 512
"""Equal parts of a key's range: gaps narrower than one are not seen."""
LEAST_GAPS = SLICES // 8
"""Slices without a value that make ranges worth their tests."""

CARRIED_AS_THEY_ARE = {*INTEGRAL, "float", "double", "string"}
WITHOUT_DISTANCES = {"string", "timestamp_ntz"}
ORDERED = {*CARRIED_AS_THEY_ARE, "date", "timestamp", "timestamp_ntz"}


@dataclass(frozen=True, slots=True)
class KeyValues:
    """The values of one source key: its range, and all of them where they are few and useful.

    `low` and `high` are None where every value is null; `distinct` is None where it was not asked
    for or there are too many. Every value is in one of the `ranges`, which leave out its larger
    gaps; there are none where they were not asked for or the gaps are too small. Of values that
    are `even` it is not expected that they leave gaps.
    """

    low: Value | None
    high: Value | None
    nulls: int
    distinct: tuple[Value, ...] | None = None
    ranges: tuple[tuple[Value, Value], ...] = ()
    even: bool = False


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """Rows of the source, and its values for each of the merge's key pairs, in their order.

    The values are None for a key whose type has no order that file statistics share, and for texts
    of which one is not `portable`. A source that is read `in_place` is a table that was not copied.
    """

    rows: int
    keys: tuple[KeyValues | None, ...]
    in_place: bool = False


def type_name(data_type: JavaObject) -> str:
    """The type as SQL in lower case; a collated string is not just `string`."""
    name: str = data_type.sql().lower()
    return name


def is_ordered(name: str) -> bool:
    """Whether values of the type can be compared with the minima and maxima of files."""
    return name in ORDERED or name.startswith("decimal")


def portable(column: Column, name: str) -> Column:
    """The value in a form that survives the way to Python and back without loss.

    A text that is no UTF-8 has none.
    """
    if name == "timestamp":
        return F.unix_micros(column)
    return column if name in CARRIED_AS_THEY_ARE else column.cast("string")


def literal(value: Value, name: str) -> Column:
    """The inverse of `portable`: a constant of the named type."""
    if name == "timestamp":
        return F.timestamp_micros(F.lit(value))
    return F.lit(value).cast(name)


def has_distances(name: str) -> bool:
    """Whether the values of an ordered type can be subtracted."""
    return name not in WITHOUT_DISTANCES


def number_of(column: Column, name: str) -> Column:
    """The value as a double, roughly: for what only decides how fast a merge is."""
    match name:
        case "date":
            return F.unix_date(column).cast("double")
        case "timestamp":
            return F.unix_micros(column).cast("double")
        case _:
            return column.cast("double")


def slice_of(column: Column, name: str, values: KeyValues) -> Column | None:
    """The number of the slice that a value is in; None for types without distances.

    A greater value is in no lower slice: rounding keeps the order. Where the width of the range, in
    doubles, is nothing, infinite or not a number, every value is in the same slice.
    """
    if values.low is None or values.high is None or not has_distances(name):
        return None
    low, high = literal(values.low, name), literal(values.high, name)
    value, first, last = (number_of(each, name) for each in (column, low, high))
    return F.floor(F.try_divide(value - first, last - first) * SLICES)


def is_even(low: float, high: float, mean: float, deviation: float) -> bool:
    """Whether numbers with this mean and standard deviation may fill their range evenly."""
    width = high - low
    off_center, off_width = mean - (low + high) / 2, deviation - width / math.sqrt(12)
    return abs(off_center) < width / 20 and abs(off_width) < width / 20


def ranges_of(slices: Sequence[tuple[int, Value, Value]]) -> tuple[tuple[Value, Value], ...]:
    """Ranges from slices with their lowest and highest value, parted at the widest gaps."""
    ordered = sorted(slices)
    gaps = [
        (after[0] - before[0] - 1, i + 1) for i, (before, after) in enumerate(pairwise(ordered))
    ]
    widest = sorted(gaps, reverse=True)[: MOST_RANGES - 1]
    if sum(width for width, _ in widest) < LEAST_GAPS:
        return ()
    cuts = [0, *sorted(i for width, i in widest if width), len(ordered)]
    return tuple((ordered[first][1], ordered[end - 1][2]) for first, end in pairwise(cuts))


def column_of(key: JavaObject) -> JavaObject | None:
    """The target column that a key is: bare, or under a cast that keeps each integer as it is.

    One that narrows makes another value, or null, of some.
    """
    kind = key.getClass().getSimpleName()
    if kind == "AttributeReference":
        return key
    if kind == "Cast" and key.child().getClass().getSimpleName() == "AttributeReference":
        narrow, wide = type_name(key.child().dataType()), type_name(key.dataType())
        if narrow in INTEGRAL and (wide == "double" or _is_as_wide(wide, narrow)):
            return key.child()
    return None


def _is_as_wide(wide: str, narrow: str) -> bool:
    return wide in INTEGRAL and INTEGRAL[wide][1] >= INTEGRAL[narrow][1]


def between(column: Column, name: str, values: KeyValues) -> Column | bool:
    """What a row satisfies that equals one of the values; True: any row may, False: none can.

    `name` is the column's type, which may be narrower than that of the values.
    """
    low, high = values.low, values.high
    if low is None or high is None:
        return False
    if name in INTEGRAL:
        low, high = integers(name, low, high)
        if low > high:
            return False
    if any(isinstance(bound, float) and math.isnan(bound) for bound in (low, high)):
        return True
    return (column >= literal(low, name)) & (column <= literal(high, name))


def within(column: Column, name: str, values: KeyValues) -> Column | bool:
    """As `between`, by the ranges."""
    if not values.ranges:
        return between(column, name, values)
    parts = [between(column, name, KeyValues(low, high, 0)) for low, high in values.ranges]
    if any(part is True for part in parts):
        return True
    columns = [part for part in parts if isinstance(part, Column)]
    return reduce(or_, columns) if columns else False


def one_of(column: Column, name: str, values: KeyValues) -> Column | bool:
    """As `between`, by the list of the values."""
    if values.distinct is None:
        return between(column, name, values)
    if not values.distinct:
        return False
    return column.isin([literal(value, name) for value in values.distinct])


def integers(name: str, low: Value, high: Value) -> tuple[int, int]:
    """The integers of the type that a value between low and high can equal."""
    least, most = INTEGRAL[name]
    return max(least, _whole(low, math.ceil, least)), min(most, _whole(high, math.floor, most))


def _whole(bound: Value, rounding: Callable[[float], int], unknown: int) -> int:
    """The bound as an integer. Beyond 2**53 a cast to double is not exact: it says nothing."""
    if isinstance(bound, int):
        return bound
    value = float(bound)
    return rounding(value) if abs(value) < EXACT_IN_DOUBLE else unknown
