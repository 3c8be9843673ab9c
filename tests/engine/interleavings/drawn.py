"""Random interleavings: the same for the same seed and number."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from . import ours, rivals
from .bench import Landing
from .kinds import Kind, random_kind
from .moments import MOMENTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .bench import Bench
    from .operations import Operation

CASES_OF_ONE_PAIR = 4
THREE_WRITERS = 0.12
"""How many of the pairs; their six orders take long."""
COMMIT = "before delta.transactions.Transaction.commit"


@dataclass(frozen=True, slots=True)
class Writers:
    """Ours and one or two others, and the moments in the order in which they are tried."""

    kind: Kind
    ours: Operation
    rivals: tuple[Operation, ...]
    moments: tuple[str, ...]
    hits_the_replay: bool


def random_writers(seed: int, number: int) -> Writers:
    random = Random(f"{seed}:{number}")
    kind, mine, others = _drawn(random, 2 if random.random() < THREE_WRITERS else 1)
    moments = [each.title for each in MOMENTS if each.title != COMMIT]
    random.shuffle(moments)
    return Writers(kind, mine, others, (COMMIT, *moments), random.random() < 0.5)


def _drawn(random: Random, rivals_count: int) -> tuple[Kind, Operation, tuple[Operation, ...]]:
    chance = random.random()
    if chance < 0.1:
        kind = random_kind(random, ("plain", "clustered"))
        mine, *others = random.sample(ours.MUTUAL, 1 + rivals_count)
        return kind, mine, tuple(others)
    if chance < 0.2:
        kind = random_kind(random, ("history",))
        found = (*rivals.OF_A_HISTORY, *ours.HISTORIES)
        mine = random.choice(ours.HISTORIES)
        return kind, mine, tuple(random.choice(found) for _ in range(rivals_count))
    kind = random_kind(random, ("plain", "plain", "partitioned", "clustered"))
    others = [_rival(random, kind) for _ in range(rivals_count)]
    return kind, _fitting(random, random.choice(ours.GROUPS), kind), tuple(others)


def _rival(random: Random, kind: Kind) -> Operation:
    groups = ours.GROUPS if random.random() < 0.3 else rivals.GROUPS
    return _fitting(random, random.choice(groups), kind)


def _fitting(random: Random, group: Sequence[Operation], kind: Kind) -> Operation:
    return random.choice([each for each in group if each.needs <= kind.abilities])


def landings(bench: Bench, writers: Writers, number: int) -> list[Landing]:
    """Each rival at a moment that passes when ours runs alone; a second one may hit the replay."""
    passed = bench.after(writers.kind, (writers.ours,)).passed
    moments = [title for title in writers.moments if title in passed] or [COMMIT]
    first = moments[number % len(moments)]
    found = [Landing(writers.rivals[0], first)]
    for rival in writers.rivals[1:]:
        at_replay = writers.hits_the_replay or len(moments) == 1
        moment = COMMIT if at_replay else moments[(number + 1) % len(moments)]
        found.append(Landing(rival, moment, 2 if at_replay else 1))
    return found
