"""What somebody may have meant by a name that is not known."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable


SHOWN = 10
"""Names in one error."""


def listed(names: Collection[str]) -> str:
    """The names, or the first of them and how many more there are."""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{', '.join([*names][:SHOWN])}{more}"


def or_nearest(
    name: str, names: Iterable[str], *, meant: str | None = None, closeness: float = 0.6
) -> str:
    """'; did you mean …?' with what is surely meant, else the name that is close, else nothing.

    `closeness`: from 0 to 1, where the same names have 1 (difflib's ratio).
    """
    near = meant or next(iter(get_close_matches(name, list(names), 1, closeness)), None)
    return f"; did you mean {near!r}?" if near else ""
