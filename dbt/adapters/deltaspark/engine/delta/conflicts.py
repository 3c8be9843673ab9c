"""Starting over after a commit that came first."""

from __future__ import annotations

import logging
import random
import re
import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..errors import add_note
from .jvm import Jvm, conditions, java_error

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

LONGEST_PAUSE_SECONDS = 5.0
MOST_SECONDS = 60.0
"""Of a pause after an attempt that took long."""

CONFLICTS = (
    "io.delta.exceptions.DeltaConcurrentModificationException",
    "org.apache.spark.sql.delta.DeltaConcurrentModificationException",
)
SCHEMA_CHANGED = "DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS"


def until_no_conflict(
    jvm: Jvm, attempt: Callable[[int], Result], retries: int
) -> tuple[Result, int]:
    """The attempt's result, and how many had failed before it; see `replayed`."""
    return replayed(attempt, retries, partial(_can_be_replayed, jvm))


def replayed(
    attempt: Callable[[int], Result],
    retries: int,
    is_conflict: Callable[[PySparkException | Py4JError], bool],
) -> tuple[Result, int]:
    """The attempt's result, and how many had failed before it.

    After `retries` replays Delta's own error is raised, with a note that says who won.
    """
    number, started = 0, time.monotonic()
    while True:
        try:
            return attempt(number), number
        except (Py4JError, PySparkException) as error:
            if not is_conflict(error):
                raise
            if number >= retries:
                add_note(error, _advice(error, retries))
                raise
        logger.info("another commit came first, replay %d of %d follows", number + 1, retries)
        time.sleep(pause(number, time.monotonic() - started))
        number, started = number + 1, time.monotonic()


def pause(number: int, attempt_seconds: float) -> float:
    """Seconds to wait before the next attempt: at random, and longer where attempts take long.

    Two writers that begin at once stay in step where they wait less than an attempt takes, and the
    slower one would lose each time.
    """
    longest = min(MOST_SECONDS, max(LONGEST_PAUSE_SECONDS, 2 * attempt_seconds))
    return random.uniform(0, min(longest, max(0.1, attempt_seconds) * 2**number))


def another_came_first(jvm: Jvm, error: BaseException) -> bool:
    """Whether another commit came first; nothing was committed then."""
    found = java_error(error)
    return found is not None and any(jvm.is_a(found, name) for name in CONFLICTS)


def _can_be_replayed(jvm: Jvm, error: BaseException) -> bool:
    return another_came_first(jvm, error) or SCHEMA_CHANGED in conditions(error)


def _advice(error: BaseException, retries: int) -> str:
    return (
        f"This was tried {retries + 1} times (conflict_retries: {retries}) and another commit"
        f" came first each time{_winner(error)}; nothing was written. Run it again, raise"
        " conflict_retries, or let the writers of this table run one after the other."
    )


def _winner(error: BaseException) -> str:
    """What Delta's message says of the commit that won."""
    found = java_error(error)
    message = str(error) if found is None else found.getMessage()
    told = re.search(r"concurrent ([A-Z ]+) .*at version (\d+)", message)
    return "" if told is None else f", at last a {told.group(1)} with version {told.group(2)}"
