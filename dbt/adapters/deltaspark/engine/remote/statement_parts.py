"""A MERGE statement taken apart, into what a merge of rows is made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ...sql_lexemes import COMMENT, TEXT
from ...sql_lexemes import NAME as QUOTED
from ..merge import MergeFrame
from ..spec import STAR, Delete, Insert, MergeSpec, Update
from .commits import plain

if TYPE_CHECKING:
    from ..merge import MergeText

NO_CODE = re.compile(rf"{TEXT}|{QUOTED}|({COMMENT})")
QUOTED_OR_WORD = re.compile(r"`(?:[^`]|``)+`|\w+")
QUALIFIER = re.compile(rf"({QUOTED_OR_WORD.pattern})\s*\.")
NAME = r"(?:`+|\w+)"
NAMES, IN_BRACKETS = rf"{NAME}(?:\s*\.\s*{NAME})*", r"\(+\)"
WHEN = r"\bWHEN\s+(?:NOT\s+)?MATCHED\b"
INTO = r"\bMERGE\s+(?P<grows>WITH\s+SCHEMA\s+EVOLUTION\s+)?INTO\s+(?P<target>" + NAMES + ")"
TARGET = re.compile(INTO, re.IGNORECASE)
MERGE = re.compile(
    rf"(?P<before>.*?){INTO}(?:\s+(?:AS\s+)?(?P<old>{NAME}))??"
    rf"\s+USING\b\s*(?P<source>{IN_BRACKETS}|{NAMES})(?:\s+(?:AS\s+)?(?P<new>{NAME}))??"
    rf"\s*\bON\b(?P<on>.+?)(?={WHEN})",
    re.DOTALL | re.IGNORECASE,
)
CLAUSE = re.compile(
    r"\s*\bWHEN\s+(?:(?P<gone>NOT\s+MATCHED\s+BY\s+SOURCE)"
    r"|(?P<new>NOT\s+MATCHED)(?:\s+BY\s+TARGET)?|MATCHED)"
    r"(?:\s+AND\b(?P<condition>.+?))?\s*\bTHEN\s+"
    r"(?:(?P<delete>DELETE)|UPDATE\s+SET\s(?P<column>[^=]+)=(?P<value>.+?)|INSERT\s*"
    rf"(?:(?P<all>\*)|(?P<columns>{IN_BRACKETS})\s*VALUES\s*(?P<values>{IN_BRACKETS})))"
    rf"\s*(?={WHEN}|$)",
    re.DOTALL | re.IGNORECASE,
)


def outermost(statement: str) -> str:
    """As long as the statement, without what is in quotes, comments and brackets."""
    code = NO_CODE.sub(lambda found: (" " if found[1] else "`") * len(found[0]), statement)
    depth, flat = 0, []
    for character in code:
        depth -= character == ")"
        flat.append("(" if depth > 0 else character)
        depth += character == "("
    return "".join(flat)


def target_of(statement: str) -> str | None:
    """The table that a MERGE changes, as it is written there."""
    found = TARGET.search(outermost(statement))
    return None if found is None else _part(statement, found, "target")


def source_apart(statement: str) -> tuple[str, Callable[[str], str]] | None:
    """The query of the source's rows, and the statement over a view of them.

    None where it is written in a way that is not known here, or calls columns by the source's name
    with its schema, or those of a query without a name by its tables'.
    """
    head = MERGE.match(outermost(statement))
    if head is None:
        return None
    start, end = head.span("source")
    source, rest = statement[start:end], statement[end:]
    parts = QUOTED_OR_WORD.findall(source)
    is_named = not (head["new"] or source.startswith("("))
    if not (is_named or head["new"] or _calls_only_target(statement, head)):
        return None
    if is_named and len(parts) > 1 and source.lower() in rest.lower():
        return None
    alias = f" AS {parts[-1]}" if is_named else ""
    query = f"{_part(statement, head, 'before')}SELECT * FROM {source}"
    return query, lambda view: f"{statement[:start]}{view}{alias} {rest}"


def _calls_only_target(statement: str, head: re.Match[str]) -> bool:
    """Whether what follows the source has no other name before a dot than the target's."""
    target = QUOTED_OR_WORD.findall(_part(statement, head, "old" if head["old"] else "target"))[-1]
    called = QUALIFIER.findall(statement[head.end("source") :])
    return {each.strip("`").lower() for each in called} <= {target.strip("`").lower()}


def frame_of(request: MergeText) -> MergeFrame | None:
    """The merge as one of rows, with an unconditional DELETE for those that match.

    None where it is written in a way that is not known here.
    """
    text = request.statement.rstrip("; \n\t")
    flat = outermost(text)
    head = MERGE.match(flat)
    clauses = None if head is None else _clauses(flat, head.end())
    if head is None or clauses is None:
        return None
    source = f"{_part(text, head, 'before')}SELECT * FROM {_part(text, head, 'source')}"
    spec = MergeSpec(
        on=_part(text, head, "on"),
        matched=(Delete(),),
        not_matched=tuple(_insert(text, each) for each in clauses if each["new"]),
        not_matched_by_source=tuple(_by_source(text, each) for each in clauses if each["gone"]),
        evolve_schema=True if head["grows"] else None,
        source_alias=_alias(text, head, "new") or _last_name(_part(text, head, "source")),
        target_alias=_alias(text, head, "old"),
    )
    return MergeFrame(_part(text, head, "target"), request.spark.sql(source), spec)


def _clauses(flat: str, start: int) -> list[re.Match[str]] | None:
    clauses = []
    while start < len(flat):
        found = CLAUSE.match(flat, start)
        if found is None:
            return None
        clauses.append(found)
        start = found.end()
    return clauses


def _insert(text: str, clause: re.Match[str]) -> Insert:
    """A list of columns or of values is one text."""
    condition = _part(text, clause, "condition") if clause["condition"] else None
    if clause["all"]:
        return Insert(STAR, condition)
    columns, values = (_part(text, clause, name)[1:-1] for name in ("columns", "values"))
    return Insert(((columns, values),), condition)


def _by_source(text: str, clause: re.Match[str]) -> Update | Delete:
    """What is set after the first column is part of its value's text."""
    condition = _part(text, clause, "condition") if clause["condition"] else None
    if clause["delete"]:
        return Delete(condition)
    return Update(((_part(text, clause, "column"), _part(text, clause, "value")),), condition)


def _part(text: str, found: re.Match[str], name: str) -> str:
    """Of the text itself: what was searched has no quotes and no brackets in it."""
    return text[slice(*found.span(name))]


def _alias(text: str, found: re.Match[str], name: str) -> str | None:
    return plain(_part(text, found, name)) if found[name] else None


def _last_name(source: str) -> str | None:
    """What the columns of a table without an alias may be called by."""
    return None if source.startswith("(") else plain(QUOTED_OR_WORD.findall(source)[-1])
