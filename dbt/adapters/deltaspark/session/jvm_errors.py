"""What the JVM said: the message of a Spark error, also where PySpark cannot render it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError, Py4JJavaError
from pyspark.errors import PySparkException

from ..engine.delta import causes_of, first_line, is_lost, server_messages
from ..engine.errors import DriverLostError
from .readable import readable

if TYPE_CHECKING:
    from py4j.java_gateway import JavaObject

READ_ERRORS = (PySparkException, Py4JJavaError)
"""What a reading of a damaged table raises. Those of a lost JVM are others: it is no table's."""
GONE_WITH_IT = "A statement that was at work in it may have been carried out, or not."
SAYS_NOTHING = "[TASK_WRITE_FAILED]"
"""A task's own words for an error; what went wrong is in the last of its causes."""
OF_CATALOG = re.compile(
    r"\Aorg\.apache\.hadoop\.hive\.ql\.metadata\.\w+: (?:MetaException\(message:)?(.*?)\)?\Z",
    re.DOTALL,
)
"""Hive's own errors tell what it tried; why that failed, say the database's below them."""
UNANSWERED = re.compile(r"\A<.*StatusCode\.UNAVAILABLE\s+details = \"(.*?)\"\n.*\Z", re.DOTALL)
"""What gRPC has to say of a server that is not there, or is there no more."""
NO_ANSWER = (
    r"The Spark Connect server does not answer: \1\nWhat it was at work on may be done or not."
    " Start the server, or name one that runs (`remote` in the profile)."
)


def is_jvm_error(error: BaseException) -> bool:
    """Spark, Delta or the gateway to them raised it, not Python code on this side."""
    return isinstance(error, (PySparkException, Py4JError))


def message_of(error: BaseException, *, causes: bool = False) -> str:
    """The message without stack trace; with `causes`, those of all the causes below it too.

    An error of the engine or the adapter has words of its own, also where a JVM error led to it.
    Where the message tells only that a task failed, it is the last cause's; where the catalog
    failed, that one's is there, too. Where the JVM is gone, that is the message.
    """
    notes = getattr(error, "__notes__", [])
    if is_lost(error):
        return "\n".join((str(DriverLostError(first_line(error), GONE_WITH_IT)), *notes))
    messages = _messages(error) if is_jvm_error(error) else []
    if not messages:
        return "\n".join((_python_message(error), *notes))
    if not causes:
        messages = _telling(messages)
    return "\n".join((*messages, *notes))


def _messages(error: BaseException) -> list[str]:
    """Along the chain of causes, in this JVM or in a server's, outermost first."""
    return [*map(_java_message, causes_of(error)), *map(readable, server_messages(error))]


def _telling(messages: list[str]) -> list[str]:
    """Those of the messages along the chain that say what went wrong."""
    first, last = messages[0], messages[-1]
    if first.startswith(SAYS_NOTHING):
        return [last]
    if of_catalog := OF_CATALOG.match(first):
        return [f"The catalog failed: {of_catalog[1]}", *([] if last in first else [last])]
    return [first]


def _java_message(throwable: JavaObject) -> str:
    return readable(str(throwable.getMessage() or throwable.toString()))


def _python_message(error: BaseException) -> str:
    if isinstance(error, PySparkException):
        said = str(getattr(error, "_desc", None) or error)
        return UNANSWERED.sub(NO_ANSWER, said)
    return str(error)
