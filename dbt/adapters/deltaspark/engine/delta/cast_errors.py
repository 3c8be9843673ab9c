"""A value that cannot be cast: the columns that were, in a note of Spark's error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..errors import add_note
from .jvm import conditions

if TYPE_CHECKING:
    from .jvm import JavaObject

    Columns = Callable[[], Iterable[JavaObject]]

INVALID_INPUT = "CAST_INVALID_INPUT"


@contextmanager
def naming_casts(source: Columns, table: Columns) -> Iterator[None]:
    """Spark's error for a value that cannot be cast names no column: a note says which were cast.

    The columns, fields or attributes, of the source and of the table that takes those of its names
    are looked up where they are needed.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        if INVALID_INPUT in conditions(error) and (casts := _casts(source(), table())):
            add_note(
                error,
                f"Columns that are cast to the table's type: {', '.join(casts)}. Give them that"
                " type in the source, with try_cast where a value that does not fit shall be null.",
            )
        raise


def _casts(source: Iterable[JavaObject], table: Iterable[JavaObject]) -> list[str]:
    types = {column.name().lower(): column.dataType().sql() for column in table}
    given = [(column.name(), column.dataType().sql()) for column in source]
    return [
        f"{name} from {kind} to {types[name.lower()]}"
        for name, kind in given
        if types.get(name.lower(), kind) != kind
    ]
