"""The odd ends of every type, for both writers: as SQL, and as what Arrow makes an array of."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable

NULL = "NULL"
DAYS = ("0001-01-01", "1582-10-04", "1582-10-05", "1582-10-10", "1582-10-14", "1582-10-15")
LATER_DAYS = ("1582-10-16", "1582-10-20", "1899-12-31", "1900-01-01", "2026-01-01", "9999-12-31")
MOMENTS = (
    -62135596800000000,  # 0001-01-01
    -12219508800000000,  # 1582-10-10 12:00
    -12219292800000000,  # 1582-10-13 00:00
    -12219033600000000,  # 1582-10-16
    -2208988800000001,  # before 1900
    -2208988800000000,
    -1,
    0,
    1767261600123000,  # 2026, in milliseconds, between two of them, and right before the next
    1767261600123500,
    1767261600123999,
    253402300799999999,  # the end of 9999
)
TEXTS = ("", " ", "A", "a", "a ", "é", "\uffff", "\U0001f600", "\U0010ffff" * 70, "x" * 64)
LONG_TEXTS = ("x" * 63 + "é", "x" * 65, "x" * 31 + "\U0001f600" * 20, "\x7f" * 80, "0", "z")
NUMBERS = ("NaN", "Infinity", "-Infinity", "-0.0", "0.0", "1.0", "5.0", "-3.5", "0.1")


@dataclass(frozen=True, slots=True)
class Value:
    """`same` is one for values that Spark takes for equal."""

    sql: str
    arrow: Any
    same: object


@dataclass(frozen=True, slots=True)
class Kind:
    """A type; `shown` is a text of its column k that tells all of its values apart."""

    name: str
    arrow: pa.DataType
    shown: str
    values: tuple[Value, ...]

    def array(self, values: Iterable[Value]) -> pa.Array:
        return pa.array([value.arrow for value in values], self.arrow)


def _numbers(name: str, more: tuple[str, ...], arrow: pa.DataType) -> Kind:
    texts = (*NUMBERS, *more)
    found = tuple(
        Value(f"CAST('{text}' AS {name})", float(text), "nan" if text == "NaN" else float(text))
        for text in texts
    )
    return Kind(name, arrow, "CAST(k AS STRING)", found)


def _decimals(precision: int, scale: int, *texts: str) -> Kind:
    name = f"DECIMAL({precision},{scale})"
    found = tuple(Value(f"CAST('{text}' AS {name})", Decimal(text), text) for text in texts)
    return Kind(name, pa.decimal128(precision, scale), "CAST(k AS STRING)", found)


def _integers(name: str, bits: int, *more: int) -> Kind:
    ends = (-(2 ** (bits - 1)), -1, 0, 5, 2 ** (bits - 1) - 1, *more)
    found = tuple(Value(f"CAST('{number}' AS {name})", number, number) for number in ends)
    return Kind(name, getattr(pa, f"int{bits}")(), "CAST(k AS STRING)", found)


def _moments(name: str, zone: str | None) -> Kind:
    found = tuple(Value(f"CAST(timestamp_micros({m}) AS {name})", m, m) for m in MOMENTS)
    shown = "CAST(unix_micros(CAST(k AS TIMESTAMP)) AS STRING)"
    return Kind(name, pa.timestamp("us", zone), shown, found)


def _bytes(name: str, arrow: pa.DataType, texts: Iterable[str | bytes]) -> Kind:
    found = tuple(Value(_hex(text, name), text, text) for text in texts)
    return Kind(name, arrow, "hex(CAST(k AS BINARY))", found)


def _hex(text: str | bytes, name: str) -> str:
    raw = text.encode() if isinstance(text, str) else text
    return f"CAST(X'{raw.hex()}' AS {name})"


KINDS = (
    _numbers("DOUBLE", ("5e-324", "1.7976931348623157e308", "9007199254740993"), pa.float64()),
    _numbers("FLOAT", ("1.401298464324817e-45", "16777216"), pa.float32()),
    Kind(
        "DATE",
        pa.date32(),
        "CAST(unix_date(k) AS STRING)",
        tuple(Value(f"DATE'{day}'", date.fromisoformat(day), day) for day in DAYS + LATER_DAYS),
    ),
    _moments("TIMESTAMP", "UTC"),
    _moments("TIMESTAMP_NTZ", None),
    _bytes("STRING", pa.string(), TEXTS + LONG_TEXTS),
    _bytes("BINARY", pa.binary(), (b"", b"\x00", b"\x7f", b"\x80", b"\xff", b"\xff" * 80, b"a")),
    _decimals(18, 2, "1234567890123456.78", "-1234567890123456.78", "0.00", "5.00", "-0.01"),
    _decimals(20, 0, "9007199254740993", "-9007199254740993", "99999999999999999999", "0", "5"),
    _decimals(38, 18, "0.333333333333333333", "99999999999999999999.999999999999999999", "0", "5"),
    _decimals(9, 9, "0.999999999", "-0.999999999", "0.000000001", "0"),
    _integers("BIGINT", 64, 2**53 + 1, -(2**53) - 1),
    _integers("INT", 32),
    _integers("SMALLINT", 16),
    _integers("TINYINT", 8),
    Kind(
        "BOOLEAN",
        pa.bool_(),
        "CAST(k AS STRING)",
        (Value("true", True, True), Value("false", False, False)),
    ),
)
