"""Tables for dbt whose numbers print with all their digits, as text and as JSON."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import agate
from dbt_common.clients.agate_helper import Number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class ExactNumber(agate.data_types.DataType):  # type: ignore[misc]  # agate has no types
    """Decimals as they are: agate would print three places of them, and JSON of a float's."""

    def cast(self, d: Decimal | None) -> Decimal | None:
        return d

    def jsonify(self, d: Decimal | None) -> Any:
        """A number where JSON has the very same, else a text: of more digits, NaN, Infinity."""
        if d is None:
            return None
        if d.is_nan() or d.is_infinite():
            return str(d)
        if d.as_tuple().exponent == 0:
            return int(d)
        return float(d) if Decimal(repr(float(d))) == d else format(d, "f")


def exact(table: agate.Table) -> agate.Table:
    """The same table, whose columns of numbers are exact; their values stay as they are."""
    return _with_types(table, {Number: ExactNumber})


def plain(table: agate.Table) -> agate.Table:
    """The same table as dbt makes it, whose own methods know no other numbers."""
    return _with_types(table, {ExactNumber: Number})


def _with_types(table: agate.Table, replaced: Mapping[type, type]) -> agate.Table:
    kinds: Sequence[Any] = table.column_types
    if not any(type(kind) in replaced for kind in kinds):
        return table
    given = [replaced[type(kind)]() if type(kind) in replaced else kind for kind in kinds]
    return agate.Table(table.rows, table.column_names, given, _is_fork=True)
