"""Values that do not fit the table's type, named with their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbt_common.exceptions import DbtDatabaseError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..column_names import found
from ..engine.delta import conditions
from ..engine.errors import row_text, value_text
from ..engine.spec import quoted
from ..engine.text_lengths import STRING, kept_type, length_of
from ..near_names import listed
from ..session import message_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructField, StructType

SHOWN = 5
"""Values of all columns together, but one of each."""
SHOWN_COLUMNS = 4
TOO_LONG = "DELTA_EXCEED_CHAR_VARCHAR_LIMIT"
MISFITS = (
    TOO_LONG,
    "CAST_INVALID_INPUT",
    "DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",
    "CAST_OVERFLOW_IN_TABLE_INSERT",
    "CAST_OVERFLOW",
    "NUMERIC_VALUE_OUT_OF_RANGE",
)
"""Error conditions of a value that is not of the type, or too large or too long for it."""
UNWRITTEN = "Nothing was written. "
WAY_OUT = (
    "Give the column the table's type in the model, with try_cast where a value that does not fit"
    " shall be null"
)
SHORTER = (
    "Shorten them in the model, as by left(column, n), or give the column a longer type where its"
    " length is promised: in the contract, or in column_types of a seed"
)
BY_REFRESHING = (
    "; or the table the model's type, by --full-refresh, which makes it anew from the model"
)


@dataclass(frozen=True, slots=True)
class Misfits:
    column: str
    what: str
    values: Sequence[str]


@contextmanager
def naming_values(
    rows: Callable[[], DataFrame],
    keys: Sequence[str],
    table: Callable[[], StructType],
    *,
    refreshes: bool = False,
    by_own_statements: bool = False,
) -> Iterator[None]:
    """Spark's error for a value that cannot be cast names neither column nor row.

    Raises DbtDatabaseError with the columns, both types, and up to five values with their keys.
    The rows are read once more for it. Statements of the project's own may have written before, and
    may cast something else: Spark's words follow.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        misfit = misfit_of(error)
        if misfit is None:
            raise
        columns: list[Misfits] = []
        with suppress(PySparkException, Py4JError):  # where the model's own query fails so
            source, theirs = rows(), table()
            columns = [
                each for name in source.columns if (each := _misfits(source, keys, name, theirs))
            ]
        if not columns:
            raise
        refreshing = BY_REFRESHING if refreshes and misfit != TOO_LONG else ""
        way_out = f"{SHORTER if misfit == TOO_LONG else WAY_OUT}{refreshing}."
        said = message_of(error).partition("\n")[0]
        rest = f"{way_out}\nSpark says: {said}" if by_own_statements else f"{UNWRITTEN}{way_out}"
        raise DbtDatabaseError(f"[{misfit}] {told(columns)}\n{rest}") from error


def misfit_of(error: BaseException) -> str | None:
    """The error condition of a value that does not fit, if it is one."""
    given = {each.partition(".")[0] for each in conditions(error)}
    return next((each for each in MISFITS if each in given), None)


def told(columns: Sequence[Misfits]) -> str:
    share = max(1, SHOWN // len(columns))
    lines = []
    for each in columns[:SHOWN_COLUMNS]:
        lines += [each.what, *(f"  - {value}" for value in each.values[:share])]
    if more := columns[SHOWN_COLUMNS:]:
        lines.append(f"and so have {listed([each.column for each in more])}")
    return "\n".join(lines)


def _misfits(rows: DataFrame, keys: Sequence[str], name: str, table: StructType) -> Misfits | None:
    place = found(name, table.names)
    if place is None:
        return None
    given, wanted = (_type(field) for field in (rows.schema[name], table[place]))
    if given == wanted:
        return None
    column = F.col(quoted(name))
    most = length_of(wanted)
    fits = F.length(column) <= most if most else column.try_cast(wanted).isNotNull()
    lost = column.isNotNull() & ~fits
    named = [key for key in keys if found(key, rows.columns) is not None]
    wrong = rows.where(lost).select(column, *(F.col(quoted(key)) for key in named))
    shown = wrong.limit(2 * SHOWN).collect()  # a snapshot has a changed row twice
    texts = [value_told(row[0], dict(zip(named, row[1:], strict=True))) for row in shown]
    values = [*dict.fromkeys(texts)][:SHOWN]
    what = (
        f"{name} is {given.upper()} in the model and {wanted.upper()} in the table, and"
        " these values do not fit:"
    )
    return Misfits(name, what, values) if values else None


def _type(field: StructField) -> str:
    """With the length of a text that has one."""
    kind = field.dataType.simpleString()
    return kept_type(field.metadata) if kind == STRING else kind


def value_told(value: object, keys: dict[str, object]) -> str:
    where = f", where {row_text(keys)}" if keys else ""
    return value_text(value) + where
