"""A JVM that is gone under a change, and whether the change's commit may be in the log."""

from __future__ import annotations

from contextvars import ContextVar

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark import SparkContext

from ..errors import DriverLostError, UnknownOutcomeError

_begun: ContextVar[str | None] = ContextVar("begun", default=None)
"""The folder of the table whose commit was begun in this thread's change."""


def commit_begins(folder: str) -> None:
    """From now on, a JVM that is gone leaves the outcome open."""
    _begun.set(folder)


def no_commit_yet() -> None:
    """A change, or one more attempt of it, starts."""
    _begun.set(None)


def is_lost(error: BaseException) -> bool:
    """Whether the error came of it that Spark's JVM is gone; False where the JVM answers."""
    if isinstance(error, Py4JJavaError) or not isinstance(error, (Py4JError, OSError)):
        return False
    return not _answers()


def lost_driver(error: BaseException) -> DriverLostError | UnknownOutcomeError | None:
    """What to raise where Spark's JVM is gone; None where it answers."""
    if not is_lost(error):
        return None
    said, folder = first_line(error), _begun.get()
    if folder is None:
        return DriverLostError(said)
    return UnknownOutcomeError(folder, f"the JVM of Spark's driver is gone ({said})")


def first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0]


def _answers() -> bool:
    """Also where this process has no JVM that could be gone, as with Spark Connect."""
    if SparkContext._jvm is None:
        return True
    try:
        SparkContext._jvm.java.lang.System.nanoTime()
    except (Py4JError, OSError):
        return False
    return True


def told_before(error: BaseException) -> DriverLostError | UnknownOutcomeError | None:
    """The one that was on its way when clearing up, which needs the JVM too, ended in `error`."""
    seen = error.__context__
    while seen is not None:
        if isinstance(seen, (DriverLostError, UnknownOutcomeError)):
            return seen
        seen = seen.__context__
    return None
