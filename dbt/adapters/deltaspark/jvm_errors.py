"""What the JVM said: the message of a Spark error, also where PySpark cannot render it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject

UNRENDERED = "Cannot find main error class"
"""PySpark 4.1 fails to render a DELTA_* error, and its own failure hides the one that matters."""


SAYS_NOTHING = "[TASK_WRITE_FAILED]"
"""A task's own words for an error; what went wrong is in the last of its causes."""


def is_jvm_error(error: BaseException) -> bool:
    """Spark, Delta or the gateway to them raised it, not Python code on this side."""
    return isinstance(error, (PySparkException, Py4JError))


def message_of(error: BaseException, *, causes: bool = False) -> str:
    """The message without stack trace; with `causes`, those of all the causes below it too.

    Where the message tells only that a task failed, the last cause's stands below it.
    """
    throwable, notes = _throwable(error), getattr(error, "__notes__", [])
    if throwable is None:
        return "\n".join((_python_message(error), *notes))
    messages = [_java_message(each) for each in _chain(throwable)]
    if not causes:
        messages = messages[:: len(messages) - 1] if _says_nothing(messages) else messages[:1]
    return "\n".join((*messages, *notes))


def _says_nothing(messages: list[str]) -> bool:
    return len(messages) > 1 and messages[0].startswith(SAYS_NOTHING)


def _throwable(error: BaseException) -> JavaObject | None:
    """The first Java exception behind the error that is not PySpark's failure to render one."""
    seen: BaseException | None = error
    while seen is not None:
        throwable = _java_exception(seen)
        if throwable is not None and UNRENDERED not in _java_message(throwable):
            return throwable
        seen = seen.__cause__ or seen.__context__
    return None


def _java_exception(error: BaseException) -> JavaObject | None:
    if isinstance(error, Py4JJavaError):
        return error.java_exception
    return getattr(error, "_origin", None)


def _java_message(throwable: JavaObject) -> str:
    return str(throwable.getMessage() or throwable.toString())


def _chain(throwable: JavaObject | None) -> Iterator[JavaObject]:
    while throwable is not None:
        yield throwable
        throwable = throwable.getCause()


def _python_message(error: BaseException) -> str:
    if isinstance(error, PySparkException):
        return str(getattr(error, "_desc", None) or error)
    return str(error)
