"""Texts of several statements: which semicolons end one, as Spark's own lexer reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"""[rR]'[^']*'|[rR]"[^"]*"|'[^'\\]*(?:\\.[^'\\]*)*'|"[^"\\]*(?:\\.[^"\\]*)*"|`[^`]*`"""
    r"""|\$(\w*)\$.*?\$\1\$|(?P<comment>--(?:\\\n|[^\r\n])*|/\*|\s+)|\w+|.""",
    re.DOTALL,
)
ENOUGH = 3
"""Words by which a statement's kind is known."""
COMMENT_MARK = re.compile(r"/\*|\*/")


@dataclass(frozen=True, slots=True)
class Statement:
    """One of a text, without the semicolon that ends it; `words` are its first ones."""

    text: str
    words: tuple[str, ...]
    is_ended: bool


def statements_of(sql: str) -> list[Statement]:
    """Those of a text, in order; none where there are only comments.

    A script of Spark's (BEGIN … END) has semicolons of its own: it is one with all that follows.
    """
    found: list[Statement] = []
    begin = 0
    words: list[str] = []
    for token, at in _tokens(sql):
        if token != ";" or _is_script(words):
            words = [*words, token][:ENOUGH]
            continue
        found.append(Statement(sql[begin:at].strip(), tuple(words), is_ended=True))
        begin, words = at + 1, []
    last = sql[begin:].strip().rstrip("; \n")
    found.append(Statement(last, tuple(words), is_ended=False))
    return [each for each in found if each.words]


def texts_of(sql: str) -> list[str]:
    """One by one, to be sent; a text of one statement stays as it is, but for semicolons before it,
    which Spark does not take.
    """
    found = statements_of(sql) if ";" in sql.rstrip("; \n") else []
    is_one = not found or len(found) == 1 and sql.lstrip().startswith(found[0].text)
    return [sql] if is_one else [each.text for each in found]


def _is_script(words: list[str]) -> bool:
    """Also with a label before it."""
    first = words[2:3] if words[1:2] == [":"] else words[:1]
    return [word.lower() for word in first] == ["begin"]


def _tokens(sql: str) -> Iterator[tuple[str, int]]:
    """Words, texts and signs with where they begin, without comments and blanks."""
    at = 0
    while (token := TOKEN.match(sql, at)) is not None:
        if token["comment"] is None:
            yield token[0], at
        at = _end_of_comment(sql, token.end()) if token[0] == "/*" else token.end()


def _end_of_comment(sql: str, at: int) -> int:
    """They may stand in each other; one that does not end goes on to the text's end."""
    depth = 1
    while depth and (mark := COMMENT_MARK.search(sql, at)) is not None:
        depth += 1 if mark[0] == "/*" else -1
        at = mark.end()
    return at if depth == 0 else len(sql)
