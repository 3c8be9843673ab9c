"""Which of few files may hold the source's keys, by the minima and maxima in their statistics.

Delta's data skipping tells the same by a query of the log, which costs a small merge more than the
scan of a small file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..delta import is_lossy
from .key_values import INTEGRAL, integers, type_name

if TYPE_CHECKING:
    from ..plan import Bound
    from .key_values import KeyValues
    from .resolve import KeyPair


def bound_of(key: KeyPair, values: KeyValues | None) -> Bound | None:
    """The column, and its least and greatest value that the source's keys can equal.

    None where something else is asked of the column: ranges, a list, null, or values of a type
    whose statistics are not compared here.
    """
    if values is None or key.column is None or values.low is None or values.high is None:
        return None
    if values.ranges or key.is_partition or (key.null_safe and values.nulls):
        return None
    name = type_name(key.column.dataType())
    if name in INTEGRAL:
        return (key.column.name(), *integers(name, values.low, values.high))
    return (key.column.name(), values.low, values.high) if name == key.kind == "string" else None


def may_hold(bounds: Sequence[Bound], statistics: Mapping[str, Any]) -> bool | None:
    """Whether a row of the file can be within all the bounds; None where one is not known.

    A minimum that was cut is still no greater than any value, and a maximum no less: Delta sees to
    that.
    """
    least, most = (statistics.get(name) for name in ("minValues", "maxValues"))
    if not isinstance(least, dict) or not isinstance(most, dict):
        return None
    lowest: Any
    highest: Any
    holds = True
    for column, low, high in bounds:
        lowest, highest = least.get(column), most.get(column)
        if len({type(value) for value in (lowest, highest, low, high)}) > 1:
            return None
        if isinstance(lowest, str) and is_lossy(lowest, highest):
            return None
        holds = holds and bool(lowest <= high and low <= highest)
    return holds
