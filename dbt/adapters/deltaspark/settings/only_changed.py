"""The condition under which a matched row differs from what an update would make of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyspark.sql.types import ArrayType, DataType, MapType, StructType, VariantType

from ..column_names import found
from ..engine.delta import NO_WIDENING, widens
from ..engine.spec import quoted


@dataclass(frozen=True, slots=True)
class NewValue:
    """What an update gives a column, or a field of it: SQL, and the type of the source's column
    where it is that.
    """

    column: str
    sql: str
    kind: DataType | None = None
    fields: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        return self.column, *self.fields


def incomparable(wanted: bool | Sequence[str], source: StructType) -> Iterator[tuple[str, str]]:
    """The columns to compare that Spark cannot compare, with their types."""
    if wanted is False:
        return
    for field in source.fields:
        if wanted is True or found(field.name, wanted) is not None:
            kind = field.dataType
            parts = (kind.keyType, kind.valueType) if isinstance(kind, MapType) else (kind,)
            if any(map(_has_no_equality, parts)):
                yield field.name, kind.simpleString()


def changed(
    values: Sequence[NewValue],
    wanted: bool | Sequence[str],
    target: StructType,
    target_alias: str,
    *,
    widening: str = NO_WIDENING,
) -> str:
    """SQL that is true where a column would get another value; null is a value like others.

    `widening` says how far the merge gives columns the source's type where that is a wider one.
    """
    asked = [
        each for each in values if wanted is True or found(each.column, wanted or ()) is not None
    ]
    same = [_same(each, target, target_alias, widening) for each in asked]
    return f"NOT ({' AND '.join(same)})" if same else "false"


def _same(value: NewValue, target: StructType, alias: str, widening: str) -> str:
    """Equality in the type in which the new value would be stored."""
    theirs = found(value.column, target.names)
    if theirs is None:
        return f"({value.sql}) IS NULL"
    old, kind = f"{alias}.{quoted(theirs)}", target[theirs].dataType
    if isinstance(kind, MapType):
        # Entries in another order count as a change: one update too many is never wrong.
        return f"map_entries({old}) <=> map_entries({value.sql})"
    if not isinstance(kind, (StructType, ArrayType)):
        if value.kind == kind:
            return f"{old} <=> {value.sql}"
        if value.kind is not None and widens(kind, value.kind, widening):
            return f"CAST({old} AS {value.kind.simpleString()}) <=> {value.sql}"
        return f"{old} <=> CAST(({value.sql}) AS {kind.simpleString()})"
    differs = value.kind is not None and value.kind.simpleString() != kind.simpleString()
    return "false" if differs else f"{old} <=> ({value.sql})"


def _has_no_equality(kind: DataType) -> bool:
    if isinstance(kind, StructType):
        return any(_has_no_equality(field.dataType) for field in kind.fields)
    if isinstance(kind, ArrayType):
        return _has_no_equality(kind.elementType)
    return isinstance(kind, (MapType, VariantType))
