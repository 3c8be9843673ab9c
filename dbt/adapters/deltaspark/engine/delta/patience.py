"""How long a Spark Connect server may leave requests without an answer."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pyspark.sql.connect.client.retries import DefaultPolicy

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE = 45.0
"""Seconds without an answer, after which a server is taken for gone; PySpark's ten minutes are
waited for anew by each request that follows."""
LONGEST_WAIT = 5.0
"""Seconds between two tries at most."""


class Patience(DefaultPolicy):
    """PySpark's own policy for one client's requests, which together wait no longer than that.

    Failures that follow each other are one silence, of whichever requests: what is still to be
    done with a server that is gone, as undoing or closing, does not wait for it again.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__(max_retries=12, max_backoff=int(LONGEST_WAIT * 1000))
        self._now = now
        self._began = self._last = float("-inf")

    def can_retry(self, e: BaseException) -> bool:
        if not super().can_retry(e):
            return False
        now = self._now()
        if now - self._last > 2 * LONGEST_WAIT:
            self._began = now
        self._last = now
        return now - self._began < PATIENCE
