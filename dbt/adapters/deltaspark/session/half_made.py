"""An embedded catalog whose first start was killed: Derby neither opens it nor makes it anew."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from .confs import DERBY
from .handshake import HAS_LOCKS

if HAS_LOCKS:
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LOCK = "dbex.lck"
"""Made first, and locked by the process that has the database; Java's locks are those of fcntl."""
MADE = "service.properties*"
"""Written last, before Derby lets anybody in; one that is being replaced has a longer name."""
LOCKED_AFTER = 2.0
"""Seconds after which who has made the lock's file has locked it, too."""
LAST_OF_DERBY = 0x481
"""The highest number of a file of Derby's own; Hive's tables have higher ones."""


def set_aside(folder: Path | None, warn: Callable[[str], None]) -> None:
    """Moves such a catalog away, which holds nothing, so that a new one is made; that is warned of.

    Not one that a process makes now, and none that has lost a file.
    """
    if folder is None or not HAS_LOCKS:
        return
    aside = folder / f"{DERBY}-half-made-{time.time():.0f}"
    try:
        if not _is_half_made(folder / DERBY):
            return
        (folder / DERBY).rename(aside)
    except OSError:  # another user's, say: who opens it tells so next
        return
    warn(
        f"The embedded catalog in {folder} was not finished: an earlier start ended while it was"
        f" made, before it could hold anything. Another is made; the old one is now {aside}, and"
        " may be deleted."
    )


def _is_half_made(database: Path) -> bool:
    lock = database / LOCK
    if not lock.is_file() or any(database.glob(MADE)) or _has_tables(database):
        return False
    return time.time() - lock.stat().st_mtime > LOCKED_AFTER and not _is_held(lock)


def _has_tables(database: Path) -> bool:
    numbers = (int(file.stem[1:], 16) for file in database.glob("seg0/c*.dat"))
    return any(number > LAST_OF_DERBY for number in numbers)


def _is_held(lock: Path) -> bool:
    try:
        with lock.open("r+b") as opened:
            fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return True
    return False
