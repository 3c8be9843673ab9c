"""Strategy scd2 of one key in plain Python, a row after the other: what the loads must end in."""

from __future__ import annotations

from dataclasses import dataclass

Values = tuple[str, int]
"""What is compared, and what is not."""


@dataclass(slots=True)
class Version:
    start: int
    end: int | None
    updated_at: int
    values: Values


@dataclass(frozen=True, slots=True)
class Rules:
    checks: bool = False
    closes_missing: bool = False


def close(history: list[Version], loaded_at: int) -> None:
    """The key is missing in a source that holds all keys."""
    for version in history:
        if version.end is None and version.start < loaded_at:
            version.end = loaded_at


def bring(history: list[Version], rows: dict[int, Values], rules: Rules) -> None:
    """The key's rows of one source, by updated_at."""
    was_closed = bool(history) and all(version.end is not None for version in history)
    waiting = {at: at for at in rows.keys() - corrected(history, rows)}
    if was_closed and rules.closes_missing:
        newest = max(rows)
        waiting[newest] = max(newest, *(version.end or 0 for version in history))
    for updated_at, start in sorted(waiting.items(), key=lambda item: item[1]):
        put(history, Version(start, None, updated_at, rows[updated_at]), rules)


def corrected(history: list[Version], rows: dict[int, Values]) -> set[int]:
    """Gives each version the newest row that it can stand for; the rows that were given."""
    given = set()
    for version in history:
        its_own = [at for at in rows if version.updated_at <= at <= version.start]
        if its_own:
            version.updated_at = max(its_own)
            version.values = rows[version.updated_at]
            given.add(version.updated_at)
    return given


def put(history: list[Version], new: Version, rules: Rules) -> None:
    """Between its neighbours, unless the version in force says the same."""
    before = [version for version in history if version.start < new.start]
    after = [version.start for version in history if version.start > new.start]
    new.end = min(after, default=None)
    if before and (before[-1].end is None or before[-1].end > new.start):
        if rules.checks and before[-1].values[0] == new.values[0]:
            return
        new.end = before[-1].end
        before[-1].end = new.start
    history.insert(len(before), new)
