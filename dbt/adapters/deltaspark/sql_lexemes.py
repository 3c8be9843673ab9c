r"""What Spark's lexer takes for one text, one quoted name or one comment, as regular expressions.

In a raw text (`r'\'`) a backslash is a character like others, and in others a doubled quote is one;
a comment in brackets may hold another; one of a line goes on where a backslash ends the line.
Each comment matches in one way only: else what repeats `BLANK` would try all ways to part a line of
dashes, as many as two to the power of its length.
"""

from __future__ import annotations

COMMENTS_IN_A_COMMENT = 5


def _bracketed(depth: int) -> str:
    within = rf"|{_bracketed(depth - 1)}" if depth else ""
    return rf"/\*(?:(?!/\*|\*/)[\s\S]{within})*\*/"


TEXT = (
    r"""(?<!\w)[rR](?:'[^']*'|"[^"]*")"""
    r"""|'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*\""""
)
NAME = r"`(?:[^`]|``)*`"
LINE = r"--(?:\\\n|(?!\\\n)[^\r\n])*(?![^\r\n])"
COMMENT = rf"{LINE}|{_bracketed(COMMENTS_IN_A_COMMENT)}"
BLANK = rf"(?:\s|{COMMENT})"
