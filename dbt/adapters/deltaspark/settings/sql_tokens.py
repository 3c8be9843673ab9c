"""SQL text of settings, read token by token: what is a column, where a list has its commas."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..column_names import bare, found
from ..sql_lexemes import COMMENT, TEXT
from .sql_syntax import syntax

TOKENS = re.compile(
    rf"{TEXT}|`(?:[^`]|``)+`|{COMMENT}|[^\W\d]\w*|\d\w*|\s+|.",
    re.DOTALL,
)
NAME = re.compile(r"`(?:[^`]|``)+`|[^\W\d]\w*")
OPENING, CLOSING = "([{", ")]}"


def columns_in(expression: str, columns: Iterable[str]) -> list[str]:
    """The tokens that name one of the columns, and no function, field or qualifier."""
    return [token for token, is_column in _marked(expression, [*columns]) if is_column]


def qualified(expression: str, columns: Iterable[str], alias: str) -> str:
    """The expression with the alias before every column that has none."""
    tokens = _marked(expression, [*columns])
    return "".join(f"{alias}.{token}" if is_column else token for token, is_column in tokens)


def unqualified(expression: str, aliases: Iterable[str]) -> str:
    """The expression without these aliases before its columns."""
    tokens: list[str] = TOKENS.findall(expression)
    dropped = {i + after for alias in aliases for i in _uses(tokens, alias) for after in (0, 1)}
    return "".join(token for i, token in enumerate(tokens) if i not in dropped)


def uses(expression: str, alias: str) -> bool:
    """Whether the alias stands before a column."""
    return bool(_uses(TOKENS.findall(expression), alias))


def _uses(tokens: list[str], alias: str) -> list[int]:
    return [
        i
        for i, token in enumerate(tokens[:-2])
        if bare(token).lower() == alias.lower()
        and tokens[i + 1] == "."
        and (i == 0 or tokens[i - 1] != ".")
    ]


def name_parts(name: str) -> list[str]:
    """`a.b` as [a, b]; what is in backticks is one part, without them."""
    return [bare("".join(part).strip()) for part in _split(TOKENS.findall(name), ".")]


def assignments(text: str) -> tuple[tuple[str, str], ...] | None:
    """`a = 1, b = f(x, y)` as pairs; None where it does not read so."""
    pairs = []
    for part in _split(TOKENS.findall(text), ","):
        sides = _split(part, "=", once=True)
        column, value = ("".join(side).strip() for side in sides) if len(sides) == 2 else ("", "")
        if not column or not value:
            return None
        pairs.append((column, value))
    return tuple(pairs)


def items(text: str) -> list[str]:
    """The parts of a list, which has a comma between any two."""
    return ["".join(part).strip() for part in _split(TOKENS.findall(text), ",")]


def without_semicolon(query: str) -> str:
    """The query without the semicolons that it ends with, also where comments follow them."""
    tokens = TOKENS.findall(query) if ";" in query else [query]
    for at in reversed(range(len(tokens))):
        if tokens[at] == ";":
            tokens[at] = ""
        elif not _is_space(tokens[at]):
            break
    return "".join(tokens)


def without_not_null(text: str) -> str:
    """What stands after a column's type, without the NOT NULL that is no part of a value."""
    tokens: list[str] = TOKENS.findall(text)
    solid = [token for token in tokens if not _is_space(token)]
    words = ["", *(token.lower() for token in solid)]
    depth = 0
    for at, token in enumerate(solid):
        depth += (token in OPENING) - (token in CLOSING)
        if depth == 0 and words[at + 1 : at + 3] == ["not", "null"] and words[at] != "is":
            return _without(tokens, at, at + 1)
    return text


def _without(tokens: list[str], *places: int) -> str:
    """The SQL without comments, and without the tokens at these places, where spaces have none."""
    kept, at = [""], -1
    for token in tokens:
        at += not _is_space(token)
        if not _is_space(token) and at not in places:
            kept.append(token)
        elif kept[-1] != " ":
            kept.append(" ")
    return "".join(kept).strip()


def _split(tokens: list[str], separator: str, *, once: bool = False) -> list[list[str]]:
    """The tokens between the separators that are in no brackets."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token in OPENING) - (token in CLOSING)
        if token == separator and depth == 0 and not (once and len(parts) > 1):
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _marked(expression: str, columns: list[str]) -> list[tuple[str, bool]]:
    """The expression's tokens, each with whether it names a column."""
    tokens: list[str] = TOKENS.findall(expression)
    solid = [i for i, token in enumerate(tokens) if not _is_space(token)]
    no_columns = syntax([tokens[i] for i in solid])
    named = {
        i for at, i in enumerate(solid) if at not in no_columns and _is_column(tokens[i], columns)
    }
    return [(token, i in named) for i, token in enumerate(tokens)]


def _is_space(token: str) -> bool:
    return token.isspace() or token.startswith(("--", "/*"))


def _is_column(token: str, columns: list[str]) -> bool:
    return NAME.fullmatch(token) is not None and found(bare(token), columns) is not None
