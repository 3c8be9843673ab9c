"""Values as texts that are exact: nested ones as JSON, as Spark's `to_json` writes it."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from datetime import date, time
from decimal import Decimal
from math import isfinite
from typing import Any

from pyspark.sql import Row
from pyspark.sql.types import VariantVal

NOT_FINITE = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


def text_of_bytes(value: bytes | bytearray | None) -> str | None:
    """In base64, as `to_json` writes binary values."""
    return None if value is None else b64encode(value).decode("ascii")


def json_text(value: Any) -> str:
    """All digits of decimals, and in quotes what no number of JSON is."""
    match value:
        case Row():
            pairs = zip(value.__fields__, value, strict=True)
            return _object((json.dumps(name), json_text(each)) for name, each in pairs)
        case list():
            return f"[{', '.join(map(json_text, value))}]"
        case dict():
            return _object((_key(key), json_text(each)) for key, each in value.items())
        case Decimal():
            return format(value, "f")
        case VariantVal():
            return str(value)
        case float() if isfinite(value):
            return json.dumps(value)
        case None | bool() | int():
            return json.dumps(value)
        case _:
            return json.dumps(_text(value))


def _object(pairs: Iterable[tuple[str, str]]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"


def _text(value: Any) -> str:
    match value:
        case float():
            return NOT_FINITE[str(value)]
        case bytes() | bytearray():
            return str(text_of_bytes(value))
        case date() | time():
            return value.isoformat()
        case _:
            return str(value)


def _key(key: Any) -> str:
    """A text, as all keys of JSON are; in a nested one numbers with a point are texts, too."""
    match key:
        case str() | date() | time():
            return json.dumps(str(key))
        case Row() | list() | dict():
            return json.dumps(json.dumps(json.loads(json_text(key), parse_float=str)))
        case float() if not isfinite(key):
            return json.dumps(_text(key))
        case bytes() | bytearray():
            return json.dumps(_text(key))
        case _:
            return json.dumps(json_text(key))
