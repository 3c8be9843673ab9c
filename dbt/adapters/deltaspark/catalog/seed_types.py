"""The types of a seed's columns that `column_types` does not give, by the cells of the file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import agate

LONGEST_BIGINT = 2**63 - 1
LONGEST_DECIMAL = 10**38 - 1
MOST_DIGITS = 39
"""With its sign the longest number of any type has so many."""
EXACT_DIGITS = 15
"""So many digits a double keeps in any case."""
MOST_PLACES = 400
"""More than a double has before its point."""
WHOLE = re.compile(r"[ \t]*-?(?:0|[1-9][0-9]*)[ \t]*")
NUMBER = re.compile(
    r"[ \t]*-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[ \t]*"
)
DAY = r"[ \t]*[0-9]{4}-[0-9]{2}-[0-9]{2}"
HOUR, SIXTY = r"(?:[01][0-9]|2[0-3])", r"[0-5][0-9]"
ZONE = rf"(?:Z|[+-](?:(?:0[0-9]|1[0-7]):{SIXTY}|18:00))"
DATE = re.compile(rf"{DAY}[ \t]*")
TIMESTAMP = re.compile(rf"{DAY} {HOUR}:{SIXTY}:{SIXTY}[ \t]*")
# Spark reads a zone behind seconds only.
ISO_TIMESTAMP = re.compile(
    rf"{DAY}T{HOUR}:{SIXTY}(?::{SIXTY}(?:\.[0-9]{{1,6}})?{ZONE}?)?[ \t]*",
)
OF_DBT = {
    "Number": "number",
    "Date": "date",
    "DateTime": "timestamp",
    "ISODateTime": "timestamp",
    "Boolean": "boolean",
}
"""What agate's types take a column for, by their names."""


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
    return _integer_type(max((int(value.copy_abs()) for value in numbers), default=0))


def type_of_cells(cells: Sequence[str | None]) -> str:
    """The type that takes each cell and loses nothing of it; else string, as in the file."""
    given = [cell for cell in cells if cell is not None]
    if all(map(_is_whole, given)):
        return _integer_type(max((abs(_whole(cell)) for cell in given), default=0))
    if _are_numbers(given):
        return "double"
    return next((kind for kind, takes in KINDS if all(map(takes, given))), "string")


def told_as_text(table: agate.Table, index: int, cells: Sequence[str | None]) -> str | None:
    """What is said of a column of texts that dbt takes for another type, with a cell of it."""
    guess = OF_DBT.get(type(table.column_types[index]).__name__)
    if guess is None:
        return None
    given = [cell for cell in cells if cell is not None]
    odd = next((cell for cell in given if not OF_GUESS[guess](cell)), max(given, key=len))
    return (
        f"the column {str(table.column_names[index])!r} is a string, as in the file: as {guess},"
        f" for which dbt elsewhere takes it, {odd!r} would be another text. column_types says which"
        " it is, and ends this warning"
    )


def _integer_type(longest: int) -> str:
    if longest > LONGEST_DECIMAL:
        return "string"
    return "bigint" if longest <= LONGEST_BIGINT else "decimal(38,0)"


def _has_decimals(value: Decimal) -> bool:
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and exponent < 0


def _is_whole(cell: str) -> bool:
    """Spark would cast others, too, without their zeros and signs, as `007`, `+5` and `-0`."""
    return WHOLE.fullmatch(cell) is not None and cell.strip() != "-0"


def _whole(cell: str) -> int:
    """One of more digits than any type has is as good as the least of them."""
    return int(cell) if len(cell.strip()) <= MOST_DIGITS else 10**MOST_DIGITS


def _are_numbers(cells: Sequence[str]) -> bool:
    """Whether one is no whole number; `-0` by itself would be one, without its sign."""
    return all(map(_is_number, cells)) and not all(map(WHOLE.fullmatch, cells))


def _is_number(cell: str) -> bool:
    """Whether a double tells the number: one of many digits it may not, nor one too large."""
    if not NUMBER.fullmatch(cell):
        return False
    value, digits = float(cell), cell.strip()
    if len(digits) > EXACT_DIGITS and WHOLE.fullmatch(cell):
        return Decimal(value) == Decimal(digits)
    if abs(value) == float("inf") or (value == 0 and Decimal(digits) != 0):
        return False
    return len(digits) <= EXACT_DIGITS or _is_written_as(value, Decimal(digits))


def _is_written_as(value: float, number: Decimal) -> bool:
    """Whether it is the double's shortest text, or the double itself to that many places."""
    if Decimal(repr(value)) == number:
        return True
    with localcontext() as context:
        context.prec = len(number.as_tuple().digits) + MOST_PLACES
        return Decimal(value).quantize(number) == number


def _is_date(cell: str) -> bool:
    return DATE.fullmatch(cell) is not None and _is_day(cell)


def _is_timestamp(cell: str) -> bool:
    return TIMESTAMP.fullmatch(cell) is not None and _is_day(cell)


def _is_iso_timestamp(cell: str) -> bool:
    return ISO_TIMESTAMP.fullmatch(cell) is not None and _is_day(cell)


def _is_day(cell: str) -> bool:
    try:
        date.fromisoformat(cell.lstrip()[:10])
    except ValueError:
        return False
    return True


def _is_boolean(cell: str) -> bool:
    return cell.strip(" \t").lower() in ("true", "false")


KINDS: Sequence[tuple[str, Callable[[str], bool]]] = (
    ("date", _is_date),
    ("timestamp", _is_timestamp),
    ("timestamp", _is_iso_timestamp),
    ("boolean", _is_boolean),
)
OF_GUESS: Mapping[str, Callable[[str], bool]] = {
    "number": _is_number,
    "date": _is_date,
    "timestamp": lambda cell: _is_timestamp(cell) or _is_iso_timestamp(cell),
    "boolean": _is_boolean,
}
