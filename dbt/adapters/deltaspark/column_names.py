"""Names of columns as Spark takes them: whatever their case, with or without backticks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def found(name: str, names: Iterable[str]) -> str | None:
    """The one of the names that Spark takes for this one (it ignores case), as it is written."""
    return next((known for known in names if known.lower() == name.lower()), None)


def bare(name: str) -> str:
    """A column's name as it was written, without the backticks around it."""
    if len(name) > 2 and name[0] == name[-1] == "`" and "`" not in name[1:-1].replace("``", ""):
        return name[1:-1].replace("``", "`")
    return name


def unquoted(name: str) -> str:
    """The same, also without the double quotes in which dbt-core puts the name of an event_time."""
    is_quoted = len(name) > 2 and name[0] == name[-1] == '"'
    return bare(name[1:-1] if is_quoted else name)
