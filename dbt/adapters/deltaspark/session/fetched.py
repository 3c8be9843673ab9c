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
    YearMonthIntervalType,
)

from .json_texts import json_text, text_of_bytes

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


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
        (F.col(place) if field.dataType == kind else F.col(place).cast(kind)).alias(field.name)
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
