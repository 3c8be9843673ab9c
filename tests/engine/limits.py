"""From which sizes on the engine works otherwise: the users', or such as make tables large."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

from dbt.adapters.deltaspark.engine.delta import few_vectors, row_positions
from dbt.adapters.deltaspark.engine.merge import matches, source, source_in_place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

SIZES: tuple[tuple[ModuleType, str, int], ...] = (
    (source, "FILES_THAT_RANGES_TELL_APART", 2),
    (source_in_place, "LEAST_BYTES", 0),
    (row_positions, "LEAST_BYTES", 0),
    (few_vectors, "MOST_ROWS", 2),
    (matches, "FEW_ROWS", 2),
)
"""By which the small tables of tests are read as large ones: two files are enough to tell the
ranges of keys apart in, no source is too small to be read in place, no table to count its rows'
positions, and three rows are too many to make their vectors on the driver, or to hold their
matches there."""


@dataclass(frozen=True, slots=True)
class Limits:
    title: str
    sizes: tuple[tuple[ModuleType, str, int], ...]

    def __str__(self) -> str:
        return self.title

    @contextmanager
    def in_force(self) -> Iterator[None]:
        with ExitStack() as until:
            for module, name, size in self.sizes:
                until.enter_context(patch.object(module, name, size))
            yield

    def put_in_force(self) -> None:
        """For the rest of a process that has one kind of tables."""
        for module, name, size in self.sizes:
            setattr(module, name, size)


OF_USERS = Limits("users_limits", tuple((*size[:2], getattr(*size[:2])) for size in SIZES))
OF_LARGE_TABLES = Limits("as_large", SIZES)
OF_FEW_MATCHES = Limits("as_large_few_matches", (*SIZES[:-1], OF_USERS.sizes[-1]))
"""Of large tables, where the driver holds the matches all the same."""
KINDS = (OF_USERS, OF_LARGE_TABLES, OF_USERS, OF_FEW_MATCHES)


def limits_drawn(number: int, seed: int) -> Limits:
    """Those of a case of the seed: of half of them the users'."""
    return Random(f"limits of {seed}:{number}").choice(KINDS)
