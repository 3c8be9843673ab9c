"""Values as SQL text: pools to draw random rows from, and rows read back as VALUES."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal

from pyspark.sql import Row
from pyspark.sql.types import ArrayType, DataType, MapType, StructType

LONG = "x" * 33

# Few values each, so that random keys meet; edges of statistics and of equality among them.
POOLS = {
    "TINYINT": ("0", "1", "2", "-128", "127"),
    "SMALLINT": ("0S", "1S", "2S", "-32768S", "32767S"),
    "INT": ("0", "1", "2", "3", "4", "-1", "2147483647"),
    "BIGINT": ("0", "1", "2", "3", "4", "-1", "5000000000"),
    "DECIMAL(10,2)": ("0.00", "1.00", "2.00", "2.50", "-99999999.99"),
    "DECIMAL(38,0)": ("0", "1", "2", "99999999999999999999999999999999999999"),
    "FLOAT": ("0.0F", "-0.0F", "1.0F", "2.5F", "float('NaN')", "float('Infinity')"),
    "DOUBLE": ("0.0D", "-0.0D", "1.0D", "2.0D", "2.5D", "double('NaN')", "double('-Infinity')"),
    "STRING": ("'a'", "'b'", "'A'", "'a '", "'ü'", f"'{LONG}1'", f"'{LONG}2'", "'\\'%_'"),
    "DATE": ("DATE'2026-01-01'", "DATE'2026-01-02'", "DATE'1969-12-31'", "DATE'9999-12-31'"),
    "TIMESTAMP": (
        "TIMESTAMP'2026-01-01 00:00:00'",
        "TIMESTAMP'2026-01-01 00:00:00.000001'",
        "TIMESTAMP'2026-01-01 00:00:00.001'",
        "TIMESTAMP'1969-12-31 23:59:59.999999'",
    ),
    "TIMESTAMP_NTZ": (
        "TIMESTAMP_NTZ'2026-01-01 00:00:00'",
        "TIMESTAMP_NTZ'2026-01-01 00:00:00.000001'",
        "TIMESTAMP_NTZ'1969-12-31 23:59:59.999999'",
    ),
    "BOOLEAN": ("true", "false"),
    "BINARY": ("X''", "X'00'", "X'00FF'"),
    "STRUCT<a: INT, b: STRING>": (
        "named_struct('a', 1, 'b', 'x')",
        "named_struct('a', NULL, 'b', 'x')",
        "named_struct('a', NULL, 'b', NULL)",
    ),
    "STRUCT<a: INT, s: STRUCT<b: STRING>>": (
        "named_struct('a', 1, 's', named_struct('b', 'x'))",
        "named_struct('a', 1, 's', CAST(NULL AS STRUCT<b: STRING>))",
    ),
    "ARRAY<STRUCT<a: INT, b: STRING>>": (
        "array(named_struct('a', 1, 'b', 'x'), named_struct('a', NULL, 'b', 'y'))",
        "CAST(array() AS ARRAY<STRUCT<a: INT, b: STRING>>)",
    ),
    "ARRAY<INT>": ("array(1, 2)", "array(NULL)", "array()"),
    "MAP<STRING, INT>": ("map('k', 1)", "map('k', NULL)", "map()"),
}
PLAIN = (
    *("TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL(10,2)", "STRING"),
    *("DATE", "TIMESTAMP", "TIMESTAMP_NTZ", "BOOLEAN"),
)
KEYS = (*PLAIN, "INT", "BIGINT", "DOUBLE", "FLOAT", "BINARY", "STRUCT<a: INT, b: STRING>")
PARTITIONS = frozenset({"TINYINT", "SMALLINT", "INT", "BIGINT", "STRING", "DATE", "BOOLEAN"})
ORDERED = frozenset({*PLAIN, "DOUBLE", "FLOAT", "DECIMAL(38,0)"}) - {"BOOLEAN"}
CLUSTERED = ORDERED
NUMBERS = ("TINYINT", "SMALLINT", "INT", "BIGINT", "DECIMAL(10,2)", "DOUBLE")
GROWN = {
    "TINYINT": ("SMALLINT", "300S"),
    "SMALLINT": ("INT", "70000"),
    "INT": ("BIGINT", "5000000000"),
    "FLOAT": ("DOUBLE", "2.5D"),
    "DATE": ("TIMESTAMP_NTZ", "TIMESTAMP_NTZ'2026-01-01 00:00:00'"),
    "STRUCT<a: INT, b: STRING>": (
        "STRUCT<a: INT, b: STRING, c: INT>",
        "named_struct('a', 1, 'b', 'x', 'c', 3)",
    ),
    "ARRAY<STRUCT<a: INT, b: STRING>>": (
        "ARRAY<STRUCT<a: INT, c: INT, b: STRING>>",
        "array(named_struct('a', 1, 'c', 3, 'b', 'x'))",
    ),
}
"""What a column may have become in the source: a type to which schema evolution leads."""


def pool(kind: str) -> tuple[str, ...]:
    """Literals of the type, one that a column has grown to included."""
    if kind in POOLS:
        return POOLS[kind]
    return tuple(literal for grown, literal in GROWN.values() if grown == kind)


def values(rows: list[Row], schema: StructType) -> str:
    """The rows as the inside of VALUES."""
    types = [field.dataType for field in schema]
    texts = (", ".join(map(literal, row, types)) for row in rows)
    return ", ".join(sorted(f"({text})" for text in texts))


def literal(value: object, kind: DataType) -> str:
    match value:
        case None:
            return "NULL"
        case bool() | int() | Decimal():
            return str(value).lower()
        case float():
            return f"{value!r}D" if math.isfinite(value) else f"double('{value!r}')"
        case str():
            return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
        case datetime():
            return f"TIMESTAMP'{value}'"
        case date():
            return f"DATE'{value.isoformat()}'"
        case bytes() | bytearray():
            return f"X'{value.hex()}'"
    return _nested_literal(value, kind)


def _nested_literal(value: object, kind: DataType) -> str:
    match value, kind:
        case (Row(), StructType()):
            fields = zip(kind.fields, value, strict=True)
            pairs = [f"'{f.name}', {literal(item, f.dataType)}" for f, item in fields]
            return f"named_struct({', '.join(pairs)})"
        case (list(), ArrayType()):
            return f"array({', '.join(literal(item, kind.elementType) for item in value)})"
        case (dict(), MapType()):
            pairs = [
                f"{literal(key, kind.keyType)}, {literal(item, kind.valueType)}"
                for key, item in value.items()
            ]
            return f"map({', '.join(pairs)})"
    raise TypeError(f"no SQL literal for {value!r} of type {kind.simpleString()}")
