"""What a Spark Connect server says of an error; its causes stand in the text of the stack alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pyspark.errors import PySparkException

CAUSE = re.compile(r"^Caused by: [\w.$]+: (.*?)(?=\n\t(?:at|\.\.\.) |\Z)", re.DOTALL | re.MULTILINE)
CLASS = re.compile(r"\A\s*\([\w.$]+\) (?=\[)")
"""What stands in front of a message whose class PySpark has none for."""
CONDITION = re.compile(r"\s*\[([A-Z][\w.]*)\]")


def server_messages(error: BaseException) -> list[str]:
    """The messages along the chain of causes, outermost first; none where no server raised it."""
    stack = getattr(error, "_stacktrace", None)
    if not isinstance(error, PySparkException) or stack is None:
        return []
    return [CLASS.sub("", str(error._message), count=1), *CAUSE.findall(stack)]


def server_conditions(error: BaseException) -> Iterator[str]:
    """Spark's and Delta's names for them."""
    for message in server_messages(error):
        if (found := CONDITION.match(message)) is not None:
            yield found[1]
