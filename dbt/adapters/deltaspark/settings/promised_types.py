"""What a contract's types say that no query's types show: lengths of texts, NOT NULL in structs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import StringType, StructType

from ..column_names import found
from ..engine.text_lengths import STRING, holds, kept_type, sized_type
from .sql_tokens import TOKENS

if TYPE_CHECKING:
    from ..engine.spec import Pairs

SIZED = ("varchar", "char", "character")


def promised_lengths(spec: Mapping[str, Any]) -> Pairs:
    """Columns of texts with the type that the contract gives them, as `varchar(3)` or `string`."""
    kinds = ((name, sized_type(kind) or kind.strip().lower()) for name, kind in _types(spec))
    return tuple((name, kind) for name, kind in kinds if sized_type(kind) or kind == STRING)


def problems_of_types(spec: Mapping[str, Any], file_format: str) -> Iterator[str]:
    """Promises that no table, or none of the format, holds rows to."""
    for name, kind in _types(spec):
        words = _words(kind)
        inside = sized_type(kind) is None
        is_required = ("not", "null") in pairwise(words)
        is_whole = is_required and words[0] in SIZED
        if inside and not is_whole and any(a in SIZED and b == "(" for a, b in pairwise(words)):
            yield (
                f"the contract gives {name!r} the type {kind!r}: only a whole column keeps the"
                " length of its texts; promise string there, and hold rows to the length by a check"
            )
        if is_required:
            yield (
                f"the contract gives {name!r} the type {kind!r}: NOT NULL is no part of a type"
                " here; a constraint says it, not_null of a column and check of a field"
            )
        if not inside and file_format != "delta":
            yield (
                f"the contract gives {name!r} the type {kind!r}: tables of {file_format} keep no"
                " length; promise string, or take file_format: delta"
            )


def warnings_of_types_of_contract(spec: Mapping[str, Any]) -> list[str]:
    """What is in a type and has no effect."""
    commented = [name for name, kind in _types(spec) if _has_comment(_words(kind))]
    return [
        f"the comments in the type of {name!r} are not written: Spark takes none from a query"
        for name in commented
    ]


def problems_of_lengths(lengths: Pairs, source: StructType) -> list[str]:
    """Where a model, such as one of Python, gives a column that is no text."""
    return [
        f"the contract gives {name!r} the type {kind}, and the model {given.simpleString()}"
        for name, kind, _ in _promised(lengths, source)
        if not isinstance(given := source[name].dataType, StringType)
    ]


def problems_of_view(lengths: Pairs, source: StructType) -> list[str]:
    """A view has the lengths of the tables that it reads, and gives none itself."""
    return [
        f"the contract gives {name!r} the type {kind}, and a view holds rows to no length: the"
        f" query's type is {given}; promise string, or materialize the model as a table"
        for name, kind, given in _promised(lengths, source)
        if not holds(kind, given)
    ]


def _promised(lengths: Pairs, source: StructType) -> Iterator[tuple[str, str, str]]:
    """The query's columns to which the contract gives a length, with that and the query's type."""
    for name, kind in lengths:
        known = found(name, source.names)
        if known is not None and sized_type(kind):
            yield known, kind, kept_type(source[known].metadata)


def _types(spec: Mapping[str, Any]) -> list[tuple[str, str]]:
    columns = spec.get("columns") or {}
    return [
        (str(column.get("name") or name), str(column["data_type"]))
        for name, column in columns.items()
        if column.get("data_type")
    ]


def _has_comment(words: Sequence[str]) -> bool:
    """A field may have the name `comment`: no text follows it."""
    return any(word == "comment" and text[-1] in "'\"" for word, text in pairwise(words))


def _words(kind: str) -> Sequence[str]:
    """The tokens of a type in lower case; a name in backticks is none of Spark's words."""
    return [each.lower() for each in TOKENS.findall(kind) if not each.isspace()]
