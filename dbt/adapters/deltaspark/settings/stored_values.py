"""Values of a snapshot's table and of its query, by SQL, where their types differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pyspark.sql.types import (
    ArrayType,
    DataType,
    DateType,
    MapType,
    NullType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from ..column_names import found
from ..engine.delta import ALWAYS, widens
from ..engine.spec import quoted, text_literal

if TYPE_CHECKING:
    from .schema_change import SchemaChange


def same(old: str, theirs: DataType, new: str, ours: DataType, depth: int = 0) -> str:
    """True where the query's value would be stored as the table's; a field that one side lacks is
    null there. One that does not fit is another: the write says what is wrong with it.
    """
    if theirs.simpleString() == ours.simpleString():
        return f"{old} <=> {new}"
    match theirs, ours:
        case StructType(), StructType():
            fields = [*_same_fields(old, theirs, new, ours, depth)]
            return f"(({old} is null) = ({new} is null) and {' and '.join(fields)})"
        case ArrayType(), ArrayType():
            one, other = f"old_{depth}", f"new_{depth}"
            each = same(one, theirs.elementType, other, ours.elementType, depth + 1)
            pairs = f"zip_with({old}, {new}, ({one}, {other}) -> {each})"
            all_same = f"coalesce(forall({pairs}, pair -> pair), true)"
            return f"(size({old}) <=> size({new}) and {all_same})"
        case _:
            stored = f"try_cast({new} as {theirs.simpleString()})"
            return f"({old} <=> {stored} and ({new} is null) = ({stored} is null))"


def _same_fields(
    old: str, theirs: StructType, new: str, ours: StructType, depth: int
) -> Iterator[str]:
    for field in theirs.fields:
        before, name = f"{old}.{quoted(field.name)}", found(field.name, ours.names)
        if name is None:
            yield f"{before} is null"
        else:
            now = f"{new}.{quoted(name)}"
            yield same(before, field.dataType, now, ours[name].dataType, depth)
    for name in ours.names:
        if found(name, theirs.names) is None:
            yield f"{new}.{quoted(name)} is null"


def in_one_type(old: str, theirs: DataType, new: str, ours: DataType) -> tuple[str, str]:
    """Both values with the fields that either has; those that one lacks are null there.

    The types of what both have are left to Spark, which finds one for all values of a column.
    """
    wanted = _with_all_fields(theirs, ours)
    return _as(old, theirs, wanted), _as(new, ours, wanted)


def _with_all_fields(theirs: DataType, ours: DataType) -> DataType:
    """The table's type, and after its fields those that only the query has."""
    match theirs, ours:
        case StructType(), StructType():
            return StructType([*_all_fields(theirs, ours)])
        case ArrayType(), ArrayType():
            return ArrayType(_with_all_fields(theirs.elementType, ours.elementType))
        case MapType(), MapType():
            return MapType(theirs.keyType, _with_all_fields(theirs.valueType, ours.valueType))
        case _:
            return theirs


def _all_fields(theirs: StructType, ours: StructType) -> Iterator[StructField]:
    for field in theirs.fields:
        name = found(field.name, ours.names)
        mine = field.dataType if name is None else ours[name].dataType
        yield StructField(field.name, _with_all_fields(field.dataType, mine))
    yield from (each for each in ours.fields if found(each.name, theirs.names) is None)


def _as(value: str, have: DataType, want: DataType, depth: int = 0) -> str:
    """The value with the fields that are wanted, by name and in their order."""
    if have.simpleString() == want.simpleString():
        return value
    each = f"each_{depth}"
    match have, want:
        case StructType(), StructType():
            fields = [
                f"{text_literal(field.name)}, {_field(value, have, field, depth)}"
                for field in want.fields
            ]
            return f"if({value} is null, null, named_struct({', '.join(fields)}))"
        case ArrayType(), ArrayType():
            inner = _as(each, have.elementType, want.elementType, depth + 1)
            return value if inner == each else f"transform({value}, {each} -> {inner})"
        case MapType(), MapType():
            inner = _as(each, have.valueType, want.valueType, depth + 1)
            changed = f"transform_values({value}, (key_{depth}, {each}) -> {inner})"
            return value if inner == each else changed
        case _:
            return value


def _field(value: str, have: StructType, want: StructField, depth: int) -> str:
    name = found(want.name, have.names)
    if name is None:
        return "null"
    return _as(f"{value}.{quoted(name)}", have[name].dataType, want.dataType, depth)


def warnings_of_narrower_types(
    change: SchemaChange, own: Sequence[str], *, grows: bool
) -> Iterator[str]:
    """Columns whose values may be stored as others, but for the snapshot's `own`.

    Where the table `grows` in the same merge, Delta may widen their types as well.
    """
    for each in change.retyped:
        widened = grows and widens(each.old, each.new, ALWAYS)
        if not (found(each.name, own) or widened or _holds(each.old, each.new)):
            new, old = each.new.simpleString(), each.old.simpleString()
            yield (
                f"{each.name} is of the type {new} in the query and {old} in the table: its values"
                f" are stored, and compared, as {old}; cast it to {old} in the query, or give the"
                " table's column the other type"
            )


def _holds(stored: DataType, given: DataType) -> bool:
    """Whether each value of the query's type is one of the table's."""
    match stored, given:
        case (StringType(), _) | (_, NullType()) | (TimestampType(), DateType()):
            return True
        case _:
            return widens(given, stored, ALWAYS)
