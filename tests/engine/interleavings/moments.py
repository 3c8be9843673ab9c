"""The moments of our operations at which another writer can land: calls of the engine, by name."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

PACKAGE = "dbt.adapters.deltaspark"
ENGINE = f"{PACKAGE}.engine"

Landing = Callable[[str], None]
"""Told the title of each moment that passes."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Before or after a call of a function or method; of a context manager, before or in it."""

    side: str
    place: str

    @property
    def title(self) -> str:
        return f"{self.side} {self.place}"


CALLS = {
    "merge.resolve.resolve": ("after",),
    "change.request.resolve_change": ("after",),
    "write.alignment.align": ("after",),
    "merge.source.evaluated": ("before", "after"),
    "delta.transactions.transaction": ("before", "after"),
    "merge.attempt.planned": ("before", "after"),
    "write.replacement.replacement_of": ("before", "after"),
    "change.selection.select_rows": ("after",),
    "merge.matches.found_matches": ("before", "after"),
    "delta.vectors.mark_deleted": ("before", "after"),
    "delta.transactions.Transaction.write": ("before", "after"),
    "delta.transactions.Transaction.commit": ("before", "after"),
    "delta.rebase._rebased": ("after",),
    "definition.commit.state_of": ("after",),
    "definition.commit.commit_change": ("before", "after"),
}
"""Where a name has moved, name its successor here."""
MOMENTS = tuple(Moment(side, place) for place, sides in CALLS.items() for side in sides)


@contextmanager
def watched(landing: Landing) -> Iterator[None]:
    """Every moment that passes inside is told."""
    with ExitStack() as stack:
        for place, sides in CALLS.items():
            for owner, name, original in _places(place):
                wrapped = _wrapped(original, place, sides, landing)
                stack.enter_context(patch.object(owner, name, wrapped))
        yield


def _places(place: str) -> Iterator[tuple[Any, str, Callable[..., Any]]]:
    """Where the function is kept: its class, or every module that imports it by name."""
    package, module, *names = place.split(".")
    owner = importlib.import_module(f"{ENGINE}.{package}.{module}")
    for name in names[:-1]:
        owner = _attribute(owner, name, place)
    original = _attribute(owner, names[-1], place)
    if len(names) > 1:
        yield owner, names[-1], original
        return
    for loaded in [each for name, each in sys.modules.items() if name.startswith(PACKAGE)]:
        for name, value in [*vars(loaded).items()]:
            if value is original:
                yield loaded, name, original


def _attribute(owner: Any, name: str, place: str) -> Any:
    found = getattr(owner, name, None)
    if found is None:
        raise LookupError(
            f"the engine has no {place} any more, at which rivals land: name its successor in"
            " interleavings/moments.py"
        )
    return found


def _wrapped(
    original: Callable[..., Any], place: str, sides: tuple[str, ...], landing: Landing
) -> Callable[..., Any]:
    def passes(side: str) -> None:
        if side in sides:
            landing(f"{side} {place}")

    @functools.wraps(original)
    def called(*args: Any, **kwargs: Any) -> Any:
        passes("before")
        result = original(*args, **kwargs)
        passes("after")
        return result

    @functools.wraps(original)
    @contextmanager
    def entered(*args: Any, **kwargs: Any) -> Iterator[Any]:
        passes("before")
        with original(*args, **kwargs) as value:
            passes("after")
            yield value

    is_context = inspect.isgeneratorfunction(inspect.unwrap(original))
    return entered if is_context else called


class Passing:
    """Counts the moments that pass, and lets the rivals land at theirs; once each, undisturbed."""

    def __init__(self, rivals: dict[tuple[str, int], Callable[[], None]]) -> None:
        self.counts: Counter[str] = Counter()
        self._rivals = dict(rivals)
        self._is_landing = False

    def __call__(self, title: str) -> None:
        if self._is_landing:
            return
        self.counts[title] += 1
        rival = self._rivals.pop((title, self.counts[title]), None)
        if rival is None:
            return
        self._is_landing = True
        try:
            rival()
        finally:
            self._is_landing = False

    def land_the_rest(self) -> list[str]:
        """Of those whose moment did not come; returns their moments."""
        rest = [*self._rivals]
        for key in rest:
            self._rivals.pop(key)()
        return [title for title, _ in rest]
