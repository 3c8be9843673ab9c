"""Files whose least or greatest value is not what their statistics say.

The log is JSON. Of a text that is no UTF-8 Delta writes there what Java makes of it, with a
replacement character where the bytes were: one that sorts behind most texts that sort behind those
bytes. A minimum or maximum with that character says nothing of the file's other texts.

A float is written there in the fewest digits that tell it from other floats: 0.1 for one that is
0.10000000149 as a double. Where its column became one of doubles, these are read as a double.

A text of a CHAR column is read with blanks at its end, which other writers than Spark leave out.

A moment is written there by the clock of the writing session's zone, with an offset in hours and
minutes by Spark 3: what zones had in seconds, as all did before they had a common time, is lost,
and again each time that it writes parsed statistics anew, as it does with each deletion vector.

A date of the ten days that the older calendar does not have is written there as it is, and into a
file by that calendar as the next day that both have.

A decimal is written there by way of a double by delta-rs: of its digits, fifteen are certain. And
NaN it leaves out (see `unseen_nan`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.sql import Column
from pyspark.sql import functions as F

from ..spec import CHAR_OR_VARCHAR, quoted
from .scans import PHYSICAL_NAME
from .unseen_nan import readings

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm

REPLACEMENT = "\ufffd"
PREFIX = 32
"""Characters that statistics keep. Older Deltas put the same character behind a cut maximum."""
OWN_PREFIX = "delta.dataSkippingStringPrefixLength"
TYPE_CHANGES = "delta.typeChanges"
WHOLE_MINUTES = "1972-01-08T00:00:00Z"
"""No zone's offset has had seconds from then on: Liberia was the last."""
OLD_MOMENT = r'"(-|0|1[0-8]|19[0-6]|197[0-2])\d*-\d\d-\d\dT'
THE_GAP = r"1582-10-(0[5-9]|1[0-4])"
"""The days of the Gregorian calendar drawn out to the past that the older one does not have."""
AFTER_THE_GAP = "1582-10-15"
ASKS_FOR_THE_GAP = re.compile(rf"DATE '({THE_GAP}|{AFTER_THE_GAP})'")
"""In a condition as SQL: what tells a day of the gap from the day after it."""
CERTAIN_DIGITS = 15
IN_A_DOUBLE = 2.0**52
"""Of an unscaled value below, a double that is two roundings away still tells which it was."""

Path: TypeAlias = tuple[str, ...]
Field: TypeAlias = Mapping[str, Any]
Moves: TypeAlias = Mapping[str, Callable[[Column], Column]]
"""By type, what makes a bound of one that no value is beyond."""


@dataclass(frozen=True, slots=True)
class Lossy:
    """What is true of a file with lossy statistics, in a frame of files.

    `mentioned`: of their text, `test`: once they are parsed. Where moments and dates alone are
    lossy none is true of the test: the bounds of theirs in the `readings` of the parsed statistics
    are beyond each. A file may match where it does by one of these.
    """

    mentioned: Column
    test: Column
    readings: Sequence[Column]


def is_lossy(least: str, greatest: str) -> bool:
    """Whether a file with this minimum and maximum of a text column may hold texts beyond them."""
    return REPLACEMENT in least or REPLACEMENT in greatest


def lossy_for(jvm: Jvm, snapshot: JavaObject, predicates: Sequence[JavaObject]) -> Lossy | None:
    """Of any column that the predicates read; None where none of them can have such statistics."""
    read = _read_by(jvm, snapshot, predicates)
    kept = _bounds_of(snapshot, {_physical(field) for field in read})
    known = {path for path, _ in _leaves(kept)}
    leaves = [(path, field) for path, field in _leaves(read) if path in known]
    texts = [path for path, field in leaves if field["type"] == "string"]
    moments = [path for path, field in leaves if field["type"] == "timestamp"]
    cut = 0 if snapshot.metadata().configuration().contains(OWN_PREFIX) else PREFIX + 1
    of_texts = [_is_lossy(path, cut) for path in texts]
    others = [test for path, field in leaves for test in _other_tests(path, field)]
    floats = [path for path, field in leaves if field["type"] in ("float", "double")]
    mentioned = [F.lit(True)] if others or floats else []
    mentioned += [_mentions_replacement("stats")] if texts else []
    mentioned += [F.col("stats").rlike(OLD_MOMENT)] if moments else []
    in_the_gap = any(field["type"] == "date" for _, field in leaves) and _ask_for_it(predicates)
    mentioned += [F.col("stats").rlike(f'"{THE_GAP}"')] if in_the_gap else []
    if not mentioned:
        return None
    test = reduce(or_, [*of_texts, *others], F.lit(False))
    wider = _wider_bounds(kept, in_the_gap=in_the_gap)
    return Lossy(reduce(or_, mentioned), test, readings(wider, floats))


def _read_by(jvm: Jvm, snapshot: JavaObject, predicates: Sequence[JavaObject]) -> list[Field]:
    """The table's columns that the predicates read."""
    read = jvm.names_read(predicates)
    fields = json.loads(snapshot.schema().json())["fields"]
    return [field for field in fields if field["name"].lower() in read]


def _ask_for_it(predicates: Sequence[JavaObject]) -> bool:
    """Whether one of them has such a day: only constants skip files."""
    return any(ASKS_FOR_THE_GAP.search(each.sql()) for each in predicates)


def _other_tests(path: Path, field: Field) -> Iterator[Column]:
    """Those of which a file's text does not tell before it is parsed."""
    if _was_float(field):
        yield _are_shortened(path)
    if (length := _length(field)) is not None:
        yield _has_no_blanks(path, length)
    if (kind := _long_decimal(field)) is not None:
        yield _are_rounded(path, *kind)


def _wider_bounds(fields: Sequence[Field], *, in_the_gap: bool) -> Column:
    """The parsed statistics, with bounds that no moment, and no date if asked for, is beyond."""
    wider = parsed = F.col("stats")
    least: Moves = {"timestamp": partial(_moved, days=-1)}
    greatest: Moves = {"timestamp": partial(_moved, days=1)}
    if in_the_gap:
        greatest = {**greatest, "date": _after_the_gap}
    for bounds, moves in (("minValues", least), ("maxValues", greatest)):
        if _has_any(fields, moves):
            wider = wider.withField(bounds, _wider(parsed[bounds], fields, moves))
    return wider


def _wider(bounds: Column, fields: Sequence[Field], moves: Moves) -> Column:
    """Struct by struct: by paths, each step would hold the whole of the one before twice."""
    wider = bounds
    for field in fields:
        kind, value = field["type"], bounds.getField(field["name"])
        if isinstance(kind, str) and kind in moves:
            moved = moves[kind](value)
        elif isinstance(kind, dict) and _has_any(kind["fields"], moves):
            moved = _wider(value, kind["fields"], moves)
        else:
            continue
        wider = wider.withField(quoted(field["name"]), moved)
    return wider


def _has_any(fields: Sequence[Field], moves: Moves) -> bool:
    return any(isinstance(f["type"], str) and f["type"] in moves for _, f in _leaves(fields))


def _moved(moment: Column, days: int) -> Column:
    """Where its seconds may be lost: a day is more than 1,400 times a minute of them. Null, which
    is unknown, beyond the last."""
    far = F.try_add(moment, F.make_dt_interval(days=F.lit(days)))
    return F.when(moment < F.lit(WHOLE_MINUTES).cast("timestamp"), far).otherwise(moment)


def _after_the_gap(date: Column) -> Column:
    """A greatest date; the file may hold the gap's days as they are, too."""
    after = F.lit(AFTER_THE_GAP).cast("date")
    return F.when(date.cast("string").rlike(THE_GAP), after).otherwise(date)


def _bounds_of(snapshot: JavaObject, names: Set[str]) -> Sequence[Field]:
    """Those of the columns, by their physical names, of which statistics have bounds."""
    kept = json.loads(snapshot.statsSchema().json())["fields"]
    least = next((each["type"]["fields"] for each in kept if each["name"] == "minValues"), ())
    return [each for each in least if each["name"] in names]


def _leaves(fields: Iterable[Field], above: Path = ()) -> Iterator[tuple[Path, Field]]:
    """Columns and fields of structs, by the names that statistics have for them."""
    for field in fields:
        path = (*above, _physical(field))
        kind = field["type"]
        if isinstance(kind, dict) and kind["type"] == "struct":
            yield from _leaves([_with_lengths(each, field) for each in kind["fields"]], path)
        else:
            yield path, field


def _with_lengths(field: Field, struct: Field) -> Field:
    """Of a CHAR in a struct the column alone tells, by the whole type as a text."""
    told = struct["metadata"].get(CHAR_OR_VARCHAR)
    return {**field, "metadata": {**field["metadata"], CHAR_OR_VARCHAR: told}} if told else field


def _physical(field: Field) -> str:
    name: str = field["metadata"].get(PHYSICAL_NAME, field["name"])
    return name


def _was_float(field: Field) -> bool:
    changes = field["metadata"].get(TYPE_CHANGES, ())
    return field["type"] == "double" and any(each["fromType"] == "float" for each in changes)


def _length(field: Field) -> int | None:
    """Of a CHAR column's texts; in a struct, of the longest CHAR there."""
    told = field["metadata"].get(CHAR_OR_VARCHAR, "") if field["type"] == "string" else ""
    return max(map(int, re.findall(r"\bchar\((\d+)\)", told)), default=None)


def _long_decimal(field: Field) -> tuple[str, int] | None:
    """The type, and its scale, of a column of decimals that a double may not tell apart."""
    found = re.fullmatch(r"decimal\((\d+),(-?\d+)\)", str(field["type"]))
    return (found[0], int(found[2])) if found and int(found[1]) > CERTAIN_DIGITS else None


def _mentions_replacement(column: str) -> Column:
    """Whether a JSON text has the character, as it is or escaped: without parsing it."""
    return F.lower(column).rlike(r"\\ufffd|" + REPLACEMENT)


def _bounds(path: Path) -> tuple[Column, Column]:
    least, greatest = (
        reduce(Column.getField, path, F.col("stats")[bound]) for bound in ("minValues", "maxValues")
    )
    return least, greatest


def _is_lossy(path: Path, cut: int) -> Column:
    """`cut` is the length of a maximum whose last character may be no text's."""
    least, greatest = _bounds(path)
    length = F.char_length(greatest)
    kept = F.when(length == cut, F.left(greatest, length - 1)).otherwise(greatest)
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


def _are_rounded(path: Path, kind: str, scale: int) -> Column:
    """Whether a minimum or maximum may be what a double made of another decimal."""
    least, greatest = (
        F.coalesce(_is_of_a_double(bound, kind, scale), F.lit(False)) for bound in _bounds(path)
    )
    return least | greatest


def _is_of_a_double(bound: Column, kind: str, scale: int) -> Column:
    """Whether a double of too many digits would be written so: as a number, or as an integer."""
    double = bound.cast("double")
    written = (double.try_cast(kind) == bound, double.try_cast("bigint") == bound)
    is_long = F.abs(double) >= IN_A_DOUBLE / 10.0**scale
    return is_long & (F.coalesce(written[0], F.lit(True)) | F.coalesce(written[1], F.lit(False)))
