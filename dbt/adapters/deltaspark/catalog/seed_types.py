"""The types of a seed's columns that `column_types` does not give, by their cells."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import agate

LONGEST_BIGINT = 2**63 - 1
LONGEST_DECIMAL = 10**38 - 1


class SeedTypes:
    """What dbt asks an adapter for, by the kind of cells that it found."""

    @classmethod
    def convert_text_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "string"

    @classmethod
    def convert_number_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return number_type(agate_table.columns[col_idx].values())

    @classmethod
    def convert_integer_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "bigint"

    @classmethod
    def convert_datetime_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "timestamp"

    @classmethod
    def convert_time_type(cls, agate_table: agate.Table, col_idx: int) -> str:
        return "string"


def number_type(values: Iterable[Decimal | None]) -> str:
    """double where one has decimals, as `2.00`; else bigint, or what keeps every digit."""
    numbers = [value for value in values if value is not None]
    if any(not value.is_finite() or _has_decimals(value) for value in numbers):
        return "double"
    longest = max((value.copy_abs() for value in numbers), default=Decimal(0))
    if longest > LONGEST_DECIMAL:
        return "string"
    return "bigint" if longest <= LONGEST_BIGINT else "decimal(38,0)"


def _has_decimals(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and exponent < 0
