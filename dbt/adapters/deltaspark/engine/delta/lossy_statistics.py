"""Files whose least or greatest value is not what their statistics say.

The log is JSON. Of a text that is no UTF-8 Delta writes there what Java makes of it, with a
replacement character where the bytes were: one that sorts behind most texts that sort behind those
bytes. A minimum or maximum with that character says nothing of the file's other texts.

A float is written there in the fewest digits that tell it from other floats: 0.1 for one that is
0.10000000149 as a double. Where its column became one of doubles, these are read as a double.

A text of a CHAR column is read with blanks at its end, which other writers than Spark leave out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F

from ..spec import CHAR_OR_VARCHAR
from .scans import PHYSICAL_NAME

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm

REPLACEMENT = "\ufffd"
PREFIX = 32
"""Characters that statistics keep. Older Deltas put the same character behind a cut maximum."""
TYPE_CHANGES = "delta.typeChanges"

Path: TypeAlias = tuple[str, ...]
Field: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Lossy:
    """What is true of a file with lossy statistics, in a frame of files.

    `mentioned`: of their text, `test`: once they are parsed.
    """

    mentioned: Column
    test: Column


def is_lossy(least: str, greatest: str) -> bool:
    """Whether a file with this minimum and maximum of a text column may hold texts beyond them."""
    kept = greatest if len(greatest) <= PREFIX else greatest[:-1]
    return REPLACEMENT in least or REPLACEMENT in kept


def lossy_for(jvm: Jvm, snapshot: JavaObject, predicates: Sequence[JavaObject]) -> Lossy | None:
    """Of any column that the predicates read; None where none of them can have such statistics."""
    read = {each.name().lower() for p in predicates for each in jvm.items(p.references().toSeq())}
    fields = json.loads(snapshot.schema().json())["fields"]
    leaves = [*_leaves(field for field in fields if field["name"].lower() in read)]
    texts = {path for path, field in leaves if field["type"] == "string"}
    doubles = {path for path, field in leaves if _was_float(field)}
    chars = {path: length for path, field in leaves if (length := _length(field))}
    if not texts | doubles:
        return None
    kept = json.loads(snapshot.statsSchema().json())["fields"]
    minima = next((each["type"]["fields"] for each in kept if each["name"] == "minValues"), ())
    known = {path for path, _ in _leaves(minima)}
    tests = [*map(_is_lossy, texts & known), *map(_are_shortened, doubles & known)]
    tests += [_has_no_blanks(path, chars[path]) for path in chars.keys() & known]
    if not tests:
        return None
    others = (doubles | chars.keys()) & known
    mentioned = F.lit(True) if others else _mentions_replacement("stats")
    return Lossy(mentioned, reduce(or_, tests))


def _leaves(fields: Iterable[Field], above: Path = ()) -> Iterator[tuple[Path, Field]]:
    """Columns and fields of structs, by the names that statistics have for them."""
    for field in fields:
        path = (*above, field["metadata"].get(PHYSICAL_NAME, field["name"]))
        kind = field["type"]
        if isinstance(kind, dict) and kind["type"] == "struct":
            yield from _leaves(kind["fields"], path)
        else:
            yield path, field


def _was_float(field: Field) -> bool:
    changes = field["metadata"].get(TYPE_CHANGES, ())
    return field["type"] == "double" and any(each["fromType"] == "float" for each in changes)


def _length(field: Field) -> int | None:
    """Of a CHAR column's texts."""
    found = re.fullmatch(r"char\((\d+)\)", field["metadata"].get(CHAR_OR_VARCHAR, ""))
    return int(found[1]) if found else None


def _mentions_replacement(column: str) -> Column:
    """Whether a JSON text has the character, as it is or escaped: without parsing it."""
    return F.lower(column).rlike(r"\\ufffd|" + REPLACEMENT)


def _bounds(path: Path) -> tuple[Column, Column]:
    least, greatest = (
        reduce(Column.getField, path, F.col("stats")[bound]) for bound in ("minValues", "maxValues")
    )
    return least, greatest


def _is_lossy(path: Path) -> Column:
    least, greatest = _bounds(path)
    length = F.char_length(greatest)
    kept = F.when(length <= PREFIX, greatest).otherwise(F.left(greatest, length - 1))
    return F.coalesce(least.contains(REPLACEMENT) | kept.contains(REPLACEMENT), F.lit(False))


def _has_no_blanks(path: Path, length: int) -> Column:
    """Whether the greatest text of a CHAR column is shorter than it is read."""
    _, greatest = _bounds(path)
    return F.coalesce(F.char_length(greatest) < min(length, PREFIX), F.lit(False))


def _are_shortened(path: Path) -> Column:
    """Whether a minimum or maximum may be that of a float with more digits."""
    least, greatest = (F.coalesce(_is_short(bound), F.lit(False)) for bound in _bounds(path))
    return least | greatest


def _is_short(bound: Column) -> Column:
    """Whether a float can have been written so: by nine digits, and for another double."""
    in_nine_digits = F.format_string("%.8e", bound).cast("double")
    return (in_nine_digits == bound) & (bound.cast("float").cast("double") != bound)
