"""What a merge or a write must do, and nothing of how: frozen values, no pyspark."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from .errors import SpecError

Star: TypeAlias = Literal["*"]
STAR: Star = "*"
Assignments: TypeAlias = tuple[tuple[str, str], ...]
"""Pairs of (target column as SQL, quoted where it needs it; SQL expression)."""


def quoted(name: str) -> str:
    """The name as one SQL identifier, whatever characters are in it."""
    return "`" + name.replace("`", "``") + "`"


@dataclass(frozen=True, slots=True)
class Update:
    """WHEN [NOT] MATCHED [BY SOURCE] … THEN UPDATE SET: `*` or assignments."""

    assignments: Assignments | Star = STAR
    condition: str | None = None

    def __post_init__(self) -> None:
        if not self.assignments:
            raise SpecError("an UPDATE clause needs at least one assignment, or '*'")


@dataclass(frozen=True, slots=True)
class Delete:
    """WHEN [NOT] MATCHED [BY SOURCE] … THEN DELETE."""

    condition: str | None = None


@dataclass(frozen=True, slots=True)
class Insert:
    """WHEN NOT MATCHED … THEN INSERT: `*` or assignments."""

    assignments: Assignments | Star = STAR
    condition: str | None = None

    def __post_init__(self) -> None:
        if not self.assignments:
            raise SpecError("an INSERT clause needs at least one column, or '*'")


@dataclass(frozen=True, slots=True)
class MergeSpec:
    """What a merge must do: the ON condition and the clauses of each kind, in order."""

    on: str
    matched: tuple[Update | Delete, ...] = ()
    not_matched: tuple[Insert, ...] = ()
    not_matched_by_source: tuple[Update | Delete, ...] = ()
    evolve_schema: bool = False
    source_alias: str | None = None
    target_alias: str | None = None

    def __post_init__(self) -> None:
        groups = (self.matched, self.not_matched, self.not_matched_by_source)
        if not any(groups):
            raise SpecError("a merge needs at least one WHEN clause")
        for clause in (clause for group in groups for clause in group[:-1]):
            if clause.condition is None:
                raise SpecError(f"{clause} has no condition, so the clauses after it never run")
        if any(c.assignments == STAR for c in self.not_matched_by_source if isinstance(c, Update)):
            raise SpecError(
                "WHEN NOT MATCHED BY SOURCE cannot UPDATE SET *: there is no source row"
            )
