"""Which of many like tests a run takes: `make test` a share that moves with the commit.

Where tests differ by a parameter alone and one in `n` finds what they are there to find, they are
marked `share(n)`; so are some that start a Spark of their own, and the projects that functional
tests build. `make test` sets TESTS=share and takes one in `n` of them, others at the next commit;
without it, and in `make test-all`, each of them is run.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pytest

Case = TypeVar("Case")

SHARED = os.environ.get("TESTS") == "share"


@cache
def turn() -> int:
    """A number that the commit makes, or another one that TURN names; 0 without a repository."""
    head = subprocess.run(
        ["git", "rev-parse", os.environ.get("TURN") or "HEAD"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return int(head.stdout.strip() or "0", 16) if head.returncode == 0 else 0


def seed_of_turn() -> int:
    """Of what is drawn at random: other cases at each commit."""
    return turn() % 1_000_000


def drawn(purpose: str, number: int, n: int, turn: int) -> int:
    """A number below n that the commit draws for one of the cases.

    Another purpose is drawn for apart: what a share takes and what is done with it are not to go
    together, or a case would always be taken in the same form.
    """
    digest = hashlib.sha256(f"{turn} {purpose} {number}".encode()).hexdigest()
    return int(digest, 16) % n


def of_turn(cases: Sequence[Case], n: int) -> list[Case]:
    """One in n of the cases, where a test needs all of its own at once; in a full run each."""
    return [case for i, case in enumerate(cases) if not SHARED or _is_in_turn(i, n, turn())]


def _is_in_turn(i: int, n: int, turn: int) -> bool:
    """One of each n in a row, in another place each time.

    Not simply each nth, which of pairs (with vectors and without) would take the same half.
    """
    row, place = divmod(i, n)
    return (row + place) % n == turn % n


def in_turn(items: Sequence[pytest.Item], turn: int) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """Those whose turn it is, and the others.

    Each function has turns of its own, or the first of every function would fall to one commit.
    With `together` all tests of a class have the same: they have one costly beginning.
    """
    seen: Counter[str] = Counter()
    taken: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        mark = item.get_closest_marker("share")
        if mark is None:
            taken.append(item)
            continue
        function = item.nodeid.partition("[")[0]
        together = mark.kwargs.get("together", False)
        owner = function.rpartition("::")[0] if together else function
        its_turn = _is_in_turn(seen[owner], mark.args[0], turn + crc32(owner.encode()))
        seen[owner] += not together
        (taken if its_turn else left).append(item)
    return taken, left
