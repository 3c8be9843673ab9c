"""For what another process or thread does in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], bool], problem: str, seconds: float = 60) -> None:
    """Fails with the problem where the condition does not hold within so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, problem
        time.sleep(0.05)
