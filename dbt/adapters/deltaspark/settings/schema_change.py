"""How a model's columns differ from its table's, and what on_schema_change makes of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass

from pyspark.sql.types import (
    ArrayType,
    DataType,
    MapType,
    NullType,
    StructField,
    StructType,
)

from ..column_names import found
from ..engine.delta import SAME_FAMILY, widens
from ..engine.spec import quoted, text_literal


@dataclass(frozen=True, slots=True)
class Retyped:
    """A column, or a field of one (`address.zip`), that has another type in the model."""

    name: str
    old: DataType
    new: DataType

    @property
    def had_no_type(self) -> bool:
        """Its values are null, and it takes any type."""
        return isinstance(self.old, NullType)

    def __str__(self) -> str:
        return f"{self.name} from {self.old.simpleString()} to {self.new.simpleString()}"


@dataclass(frozen=True, slots=True)
class SchemaChange:
    """The differences, by name without case; nested fields are named with their path."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    retyped: tuple[Retyped, ...] = ()
    nested_added: tuple[str, ...] = ()
    nested_removed: tuple[str, ...] = ()
    added_types: tuple[tuple[str, DataType], ...] = dataclasses.field(default=(), compare=False)
    """Of the columns and fields that are added."""

    @classmethod
    def between(cls, source: StructType, target: StructType) -> SchemaChange:
        found_here = [*_differences(source, target, "")]
        types = tuple(each for kind, each in found_here if kind == "type")
        named = {
            kind: tuple(name for each, name in found_here if each == kind)
            for kind in ("added", "removed", "nested_added", "nested_removed")
        }
        retyped = tuple(each for _, each in found_here if isinstance(each, Retyped))
        return cls(**named, retyped=retyped, added_types=types)  # type: ignore[arg-type]  # by kind

    def __bool__(self) -> bool:
        return bool(self.grows or self.removed or self.nested_removed or self.retyped)

    @property
    def grows(self) -> bool:
        return bool(self.added or self.nested_added)


def change_problems(mode: str, change: SchemaChange) -> list[str]:
    """What sync_all_columns cannot do without losing values."""
    if mode != "sync_all_columns":
        return []
    return [
        *(
            f"on_schema_change 'sync_all_columns' would drop the field {name}, and Delta cannot"
            " drop fields that a merge fills; keep it in the model, or run it with --full-refresh"
            for name in change.nested_removed
        ),
        *(
            _cannot_change(each)
            for each in change.retyped
            if not widens(each.old, each.new, SAME_FAMILY)
        ),
    ]


def warnings_of_change(mode: str, change: SchemaChange) -> tuple[str, ...]:
    """What on_schema_change ignore leaves out, by name."""
    new = (*change.added, *change.nested_added)
    if mode in ("append_new_columns", "sync_all_columns") or not new:
        return ()
    return (
        f"these columns are not in the table and are not written: {', '.join(new)};"
        " set on_schema_change: append_new_columns to add them",
    )


def out_of_sync(change: SchemaChange) -> str:
    """dbt-core's message for on_schema_change 'fail'."""
    types = [
        {"column_name": each.name, "new_type": each.new.simpleString()} for each in change.retyped
    ]
    return f"""
The source and target schemas on this incremental model are out of sync!
They can be reconciled in several ways:
  - set the `on_schema_change` config to either append_new_columns or sync_all_columns, \
depending on your situation.
  - Re-run the incremental model with `full_refresh: True` to update the target schema.
  - update the schema manually and re-run the process.

Additional troubleshooting context:
   Source columns not in target: {[*change.added, *change.nested_added]}
   Target columns not in source: {[*change.removed, *change.nested_removed]}
   New column types: {types}
"""


def _cannot_change(each: Retyped) -> str:
    return (
        f"on_schema_change 'sync_all_columns' would change {each}, which could lose values; cast"
        f" the column to {each.old.simpleString()} in the model, or run it with --full-refresh"
    )


Difference = tuple[str, "str | Retyped | tuple[str, DataType]"]


def _differences(source: StructType, target: StructType, path: str) -> Iterator[Difference]:
    prefix = "nested_" if path else ""
    theirs = {field.name: field for field in target.fields}
    ours = {field.name for field in source.fields}
    for field in source.fields:
        known = found(field.name, theirs)
        if known is None:
            yield f"{prefix}added", f"{path}{field.name}"
            yield "type", (f"{path}{field.name}", field.dataType)
        else:
            yield from _of_types(f"{path}{known}", field.dataType, theirs[known].dataType)
    for name in theirs:
        if found(name, ours) is None:
            yield f"{prefix}removed", f"{path}{name}"


def _of_types(path: str, source: DataType, target: DataType) -> Iterator[Difference]:
    match source, target:
        case StructType(), StructType():
            yield from _differences(source, target, f"{path}.")
        case ArrayType(), ArrayType():
            yield from _of_types(f"{path}.element", source.elementType, target.elementType)
        case MapType(), MapType():
            yield from _of_types(f"{path}.key", source.keyType, target.keyType)
            yield from _of_types(f"{path}.value", source.valueType, target.valueType)
        case NullType(), _:
            return  # a column of nulls, which fit every type
        case _ if source.simpleString() != target.simpleString():
            yield "retyped", Retyped(path, target, source)


def shared(source: StructType, target: StructType) -> list[str]:
    """SQL for each source column that the table has, without the fields that it has not."""
    theirs = {field.name: field for field in target.fields}
    columns = []
    for field in source.fields:
        known = found(field.name, theirs)
        if known is not None:
            name = quoted(field.name)
            columns.append(f"{_narrowed(name, field, theirs[known])} AS {name}")
    return columns


def _narrowed(value: str, source: StructField, target: StructField) -> str:
    return _of_type(value, source.dataType, target.dataType, 0)


def _of_type(value: str, source: DataType, target: DataType, depth: int) -> str:
    each = f"e{depth}"
    match source, target:
        case StructType(), StructType():
            return _of_struct(value, source, target, depth)
        case ArrayType(), ArrayType():
            inner = _of_type(each, source.elementType, target.elementType, depth + 1)
            return value if inner == each else f"transform({value}, {each} -> {inner})"
        case MapType(), MapType():
            inner = _of_type(each, source.valueType, target.valueType, depth + 1)
            changed = f"transform_values({value}, (k{depth}, {each}) -> {inner})"
            return value if inner == each else changed
        case _:
            return value


def _of_struct(value: str, source: StructType, target: StructType, depth: int) -> str:
    theirs = {field.name: field for field in target.fields}
    known = [(field, found(field.name, theirs)) for field in source.fields]
    parts = [
        (field.name, f"{value}.{quoted(field.name)}", field.dataType, theirs[name].dataType)
        for field, name in known
        if name is not None
    ]
    narrowed = [(name, part, _of_type(part, a, b, depth)) for name, part, a, b in parts]
    if len(parts) == len(source.fields) and all(part == text for _, part, text in narrowed):
        return value
    fields = ", ".join(f"{text_literal(name)}, {text}" for name, _, text in narrowed)
    return f"if({value} IS NULL, NULL, named_struct({fields}))"
