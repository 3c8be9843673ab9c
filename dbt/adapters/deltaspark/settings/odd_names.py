"""Names of columns and fields that Delta takes under column mapping alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pyspark.sql.types import StructType

from .type_features import newly_needed, types_in

if TYPE_CHECKING:
    from pyspark.sql.types import DataType

    from .schema_change import SchemaChange

ODD_CHARACTERS = frozenset(" ,;{}()\n\t=")


def names_in(kind: DataType) -> list[str]:
    """Of columns and fields, at any depth."""
    return [name for each in types_in(kind) if isinstance(each, StructType) for name in each.names]


def odd_names(names: Iterable[str]) -> list[str]:
    return [name for name in names if ODD_CHARACTERS.intersection(name)]


def odd_names_of_change(change: SchemaChange) -> list[str]:
    """Of what is added, and of the fields within."""
    return [
        each for name, kind in change.added_types for each in odd_names([name, *names_in(kind)])
    ]


def mapping_for(names: Sequence[str], *, allowed: bool) -> str:
    """What is said of a table that has no column mapping yet: a warning, or a problem."""
    way_out = "name it without spaces and any of ,;{}()="
    what = f"the name of {', '.join(names)}"
    return newly_needed(what, "columnMapping", way_out, allowed=allowed)
