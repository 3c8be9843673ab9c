"""Texts with a length: `varchar(n)` and `char(n)`, which Spark keeps beside the type of a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .spec import CHAR_OR_VARCHAR

SIZED = re.compile(r"\s*(?:(?P<var>varchar)|char|character)\s*\(\s*(?P<n>\d+)\s*\)\s*", re.I)
STRING = "string"


def sized_type(text: str) -> str | None:
    """As Spark writes the type, `varchar(3)` or `char(3)`; None of another type."""
    found = SIZED.fullmatch(text)
    return found and f"{'varchar' if found['var'] else 'char'}({int(found['n'])})"


def length_of(kind: str) -> int | None:
    """The most characters that the type takes; None where it takes any."""
    found = SIZED.fullmatch(kind)
    return int(found["n"]) if found else None


def kept_type(metadata: Mapping[str, Any] | None) -> str:
    """The type of a column of texts, by its metadata."""
    return str((metadata or {}).get(CHAR_OR_VARCHAR, STRING))


def holds(kind: str, other: str) -> bool:
    """Whether each text of the other type is one of this type, too."""
    most, given = length_of(kind), length_of(other)
    return most is None or (given is not None and given <= most)


def only_grows(old: str, new: str) -> bool:
    """Whether `ALTER COLUMN … TYPE` makes the one type the other: it makes none a `char`."""
    return holds(new, old) and not new.startswith("char")
