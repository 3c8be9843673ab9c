"""The words of a SQL text that are syntax and no columns, though columns may be called the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

VALUE_ENDS = re.compile(
    r"(?!(?:when|then|else|and|or|not|case|in|like)$)(?:[^\W].*|[)'\"`\]].*)", re.I
)
"""A word that a value may end with."""
AMOUNT = re.compile(r"\d\w*|[-+.]|'.*'|\".*\"", re.DOTALL)
"""A part of what stands before a unit of time: its signs and number, or a text."""
UNITS = (
    *("year", "quarter", "month", "week", "day", "dayofyear", "hour", "minute", "second"),
    *("millisecond", "microsecond"),
)
UNIT_FIRST = (
    *("dateadd", "date_add", "timestampadd"),
    *("datediff", "date_diff", "timediff", "timestampdiff"),
)
"""Functions that begin with a unit where they have three arguments."""
NESTED_TYPES = ("array", "map", "struct")
TRIMMED = ("both", "leading", "trailing")


def syntax(words: Sequence[str]) -> set[int]:
    """The positions of such words; there are no spaces and comments among the words.

    They are functions, fields, types (`cast(x as date)`, `x::date`, `date'2026-01-01'`), units
    (`interval 3 day`, `extract(year from x)`, `dateadd(day, 1, x)`), variables (`x -> x + 1`),
    names of arguments (`f(name => x)`) and the END of a CASE.
    """
    beside = (at for at in range(len(words)) if _is_told_by_its_neighbours(words, at))
    return {
        *beside,
        *_ends(words),
        *_variables(words),
        *_units_of_functions(words),
        *_intervals(words),
        *_types(words),
    }


def _word(words: Sequence[str], at: int) -> str:
    return words[at].lower() if 0 <= at < len(words) else ""


def _is_told_by_its_neighbours(words: Sequence[str], at: int) -> bool:
    second, first, word, after, last = (_word(words, each) for each in range(at - 2, at + 3))
    if first in (".", ":") or after == "(" or (after, last) == ("=", ">"):
        return True
    is_extracted = (second, first, after) == ("extract", "(", "from")
    is_trimmed = (second, first, after) == ("trim", "(", "from") and word in TRIMMED
    is_type = after[:1] in ("'", '"')
    return not word.startswith("`") and (is_type or is_extracted or is_trimmed)


def _ends(words: Sequence[str]) -> Iterator[int]:
    """Each END of a CASE: one that a value stands before."""
    opened = 0
    for at, word in enumerate(words):
        if word.lower() == "case":
            opened += 1
        elif word.lower() == "end" and opened and VALUE_ENDS.fullmatch(words[at - 1]):
            opened -= 1
            yield at


def _variables(words: Sequence[str]) -> Iterator[int]:
    """Those of lambda functions, each in its function."""
    for at in range(len(words) - 1):
        if words[at : at + 2] != ["-", ">"]:
            continue
        first = at - 1
        while words[at - 1] == ")" and words[first] != "(" and first > 0:
            first -= 1
        names = {word.lower() for word in words[first:at]}
        inside = range(first, _end_of_argument(words, at + 2))
        yield from (each for each in inside if words[each].lower() in names)


def _units_of_functions(words: Sequence[str]) -> Iterator[int]:
    for at, word in enumerate(words):
        if word.lower() not in UNIT_FIRST or _word(words, at + 1) != "(":
            continue
        commas = (at + 3, _end_of_argument(words, at + 4))
        if _is_unit(words, at + 2) and all(_word(words, each) == "," for each in commas):
            yield at + 2


def _end_of_argument(words: Sequence[str], start: int) -> int:
    """The comma, or the bracket, behind the argument that starts here."""
    depth = 0
    for at in range(start, len(words)):
        if depth == 0 and words[at] in (",", ")", "]"):
            return at
        depth += (words[at] in ("(", "[")) - (words[at] in (")", "]"))
    return len(words)


def _intervals(words: Sequence[str]) -> Iterator[int]:
    """The words of `interval 1 day 2 hour`, `interval '1-2' year to month`."""
    for at, word in enumerate(words):
        end = _end_of_interval(words, at + 1)
        if word.lower() == "interval" and end > at + 1:
            yield from range(at, end)


def _end_of_interval(words: Sequence[str], start: int) -> int:
    """Behind the last unit of the amounts that start here."""
    unit = start
    while AMOUNT.fullmatch(_word(words, unit)):
        unit += 1
    if unit == start or words[unit - 1] in ("-", "+") or not _is_unit(words, unit):
        return start
    return _end_of_interval(words, _end_of_units(words, unit))


def _end_of_units(words: Sequence[str], start: int) -> int:
    """Behind `day`, or `day to second`."""
    is_range = _word(words, start + 1) == "to" and _is_unit(words, start + 2)
    return start + (3 if is_range else 1)


def _is_unit(words: Sequence[str], at: int) -> bool:
    return _word(words, at).removesuffix("s") in UNITS


def _types(words: Sequence[str]) -> Iterator[int]:
    """The words of each type behind `as` or `::`; a name that `as` gives is one of them, too."""
    for at in range(1, len(words)):
        if _word(words, at - 1) == "as" or words[max(at - 2, 0) : at] == [":", ":"]:
            yield from range(at, _end_of_type(words, at))


def _end_of_type(words: Sequence[str], start: int) -> int:
    kind, after = _word(words, start), start + 1
    if kind in NESTED_TYPES and _word(words, after) == "<":
        return _end_of_fields(words, after)
    if kind == "interval" and _is_unit(words, after):
        return _end_of_units(words, after)
    return after + (3 if _word(words, after) == "without" else 0)  # WITHOUT TIME ZONE


def _end_of_fields(words: Sequence[str], start: int) -> int:
    """Behind the bracket that closes the one that is here."""
    depth = 0
    for at in range(start, len(words)):
        depth += (words[at] == "<") - (words[at] == ">")
        if depth == 0:
            return at + 1
    return len(words)
