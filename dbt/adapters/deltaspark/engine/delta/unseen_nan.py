"""NaN, which is greater than each other number, and which other writers leave out of statistics.

delta-rs does, and nothing tells its files from Spark's. Rows of a file with NaN in a column are
looked for by bounds of their own: NaN is their least and their greatest value. So only conditions
that NaN satisfies read more files than statistics say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import combinations
from typing import TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F

from ..spec import quoted

Path: TypeAlias = tuple[str, ...]
BOUNDS = ("minValues", "maxValues")
MOST_COLUMNS = 3
"""Of which each may be NaN or not by itself: twice as many readings for one more."""


def readings(statistics: Column, columns: Sequence[Path]) -> list[Column]:
    """What a file's parsed statistics may have meant, by which of these columns are NaN; the first
    is what they say. A bound that is not known stays so.
    """
    if len(columns) > MOST_COLUMNS:
        return [_with_nan(statistics, columns, BOUNDS[1:])]
    return [_with_nan(statistics, each, BOUNDS) for each in _subsets(columns)]


def _subsets(columns: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    for size in range(len(columns) + 1):
        yield from combinations(columns, size)


def _with_nan(statistics: Column, columns: Iterable[Path], bounds: Sequence[str]) -> Column:
    for path in columns:
        for bound in bounds:
            value = reduce(Column.getField, (bound, *path), statistics)
            place = ".".join(map(quoted, (bound, *path)))
            statistics = statistics.withField(place, value + F.lit("NaN").cast("float"))
    return statistics
