"""A column's type as SQL that Spark reads back."""

from __future__ import annotations

import re

from pyspark.sql.types import ArrayType, DataType, MapType, StructField, StructType

from ..engine.spec import CHAR_OR_VARCHAR, quoted

PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def type_of(field: StructField) -> str:
    """Whole; `char(n)` and `varchar(n)` too, which Spark keeps beside the type of a text."""
    told: str | None = (field.metadata or {}).get(CHAR_OR_VARCHAR)
    return told or type_text(field.dataType)


def type_text(kind: DataType) -> str:
    """As `struct<a:int,`b-c`:string>`: a name in backticks where it needs them."""
    match kind:
        case StructType():
            fields = (f"{_named(each.name)}:{type_text(each.dataType)}" for each in kind)
            return f"struct<{','.join(fields)}>"
        case ArrayType():
            return f"array<{type_text(kind.elementType)}>"
        case MapType():
            return f"map<{type_text(kind.keyType)},{type_text(kind.valueType)}>"
    return kind.simpleString()


def _named(name: str) -> str:
    return name if PLAIN.fullmatch(name) else quoted(name)
