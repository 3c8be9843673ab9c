"""Whether some order of the writers leaves what their interleaving left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from .bench import CRASH

if TYPE_CHECKING:
    from .bench import Bench, Interleaved
    from .kinds import Kind
    from .left import Left
    from .operations import Operation


@dataclass(frozen=True, slots=True)
class Serial:
    """One order of the writers, by their numbers; ours is 0. Errors are by number, too."""

    order: tuple[int, ...]
    errors: tuple[str, ...]
    left: Left

    @property
    def succeeded(self) -> tuple[bool, ...]:
        return tuple(not error for error in self.errors)


def serials(bench: Bench, kind: Kind, operations: Sequence[Operation]) -> Iterator[Serial]:
    for order in permutations(range(len(operations))):
        run = bench.after(kind, tuple(operations[number] for number in order))
        errors = tuple(run.errors[order.index(number)] for number in range(len(operations)))
        yield Serial(order, errors, bench.left_by(run))


def problems(found: Interleaved, orders: Sequence[Serial], without_ours: Sequence[Serial]) -> str:
    """Why no order explains what was found; "" where one does.

    Where ours ended in an error, the rivals alone must have left it.
    """
    crashes = [error for error in found.errors if error.startswith(CRASH)]
    if crashes:
        return "\n".join(crashes)
    if found.flaws:
        return "; ".join(found.flaws)
    succeeded = tuple(not error for error in found.errors)
    if not succeeded[0]:
        alone = [(each.succeeded, each.left) for each in without_ours]
        is_explained = (succeeded[1:], found.left) in alone
        return "" if is_explained else "ours failed, and the rivals alone leave something else"
    is_explained = (succeeded, found.left) in [(each.succeeded, each.left) for each in orders]
    return "" if is_explained else "no order of the writers leaves this"


def fails_needlessly(found: Interleaved, orders: Sequence[Serial]) -> bool:
    """Whether ours failed where it succeeds in every order: allowed, but counted."""
    return bool(found.errors[0]) and all(each.succeeded[0] for each in orders)
