"""Rows as dbt takes them: by the session's clock, with the names of structs, in Python's types."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    CalendarIntervalType,
    DataType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
    VariantType,
    YearMonthIntervalType,
)

from .json_texts import json_text, text_of_bytes

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def fetchable(frame: DataFrame) -> DataFrame:
    """The rows with timestamps, nested ones too, as the session's wall clock.

    PySpark gives the machine's, and none that is outside of Python's years there. Intervals of
    months, for which Python has no type, become text.
    """
    fields = frame.schema.fields
    kinds = [fetchable_type(field.dataType) for field in fields]
    if all(field.dataType == kind for field, kind in zip(fields, kinds, strict=True)):
        return frame
    places = [str(place) for place in range(len(fields))]  # a query may have a name twice
    columns = [
        _converted(F.col(place), field.dataType, kind).alias(field.name)
        for place, kind, field in zip(places, kinds, fields, strict=True)
    ]
    return frame.toDF(*places).select(*columns)


def fetchable_type(kind: DataType) -> DataType:
    match kind:
        case TimestampType():
            return TimestampNTZType()
        case YearMonthIntervalType() | CalendarIntervalType():
            return StringType()
        case ArrayType():
            return ArrayType(fetchable_type(kind.elementType), kind.containsNull)
        case MapType():
            key, value = fetchable_type(kind.keyType), fetchable_type(kind.valueType)
            return MapType(key, value, kind.valueContainsNull)
        case StructType():
            return StructType([_fetchable_field(each) for each in kind])
    return kind


def _converted(value: Column, kind: DataType, wanted: DataType) -> Column:
    """The value in the type wanted; what holds a variant, which no cast takes, part by part."""
    if kind == wanted:
        return value
    if not _has_variant(kind):
        return value.cast(wanted)
    match kind, wanted:
        case ArrayType(), ArrayType():
            return F.transform(
                value, lambda each: _converted(each, kind.elementType, wanted.elementType)
            )
        case MapType(), MapType():
            keys = F.transform(
                F.map_keys(value), lambda each: _converted(each, kind.keyType, wanted.keyType)
            )
            values = F.transform(
                F.map_values(value), lambda each: _converted(each, kind.valueType, wanted.valueType)
            )
            return F.map_from_arrays(keys, values)
        case StructType(), StructType():
            parts = [
                _converted(value.getField(old.name), old.dataType, new.dataType).alias(old.name)
                for old, new in zip(kind, wanted, strict=True)
            ]
            return F.when(value.isNotNull(), F.struct(*parts))
    return value


def _has_variant(kind: DataType) -> bool:
    match kind:
        case ArrayType():
            return _has_variant(kind.elementType)
        case MapType():
            return _has_variant(kind.valueType)
        case StructType():
            return any(_has_variant(field.dataType) for field in kind)
    return isinstance(kind, VariantType)


def _fetchable_field(field: StructField) -> StructField:
    kind = fetchable_type(field.dataType)
    return StructField(field.name, kind, field.nullable, field.metadata)


def to_plain(type_name: str) -> Callable[[Any], Any]:
    """How values of a type become ones that agate and Jinja take: nested ones are JSON."""
    if any(f"{kind}<" in type_name for kind in ("struct", "map", "array")):
        return _nested
    return text_of_bytes if type_name == "binary" else _same


def _same(value: Any) -> Any:
    return value


def _nested(value: Any) -> str | None:
    return None if value is None else json_text(value)
