"""What the JVM prints when it starts, without the lines that nobody can use."""

from __future__ import annotations

import os
import re
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import dropwhile, islice, takewhile

NOISE = b"WARNING: Using incubator modules", b"SLF4J: "
"""The second is said by Amazon's client for S3, of a log of its own that nobody reads; Spark's own
would begin otherwise."""
RESOLVING = b":: loading settings ::"
RESOLVED = (b" artifacts copied, ", b" already retrieved (")
DOWNLOADING = b"downloading "
FAILED = (b"UNRESOLVED DEPENDENCIES", b"[FAILED", b"Exception")
FETCHING = "Fetching Delta's jars, once"
STDERR = 2
REASON = re.compile(
    r"Error\b|Invalid |Unrecognized |Conflicting |Exception\b|Exception in thread "
    r"|# There is insufficient memory|.* VM warning: INFO: os::"
)
"""How the line begins with which Java, or Spark's launcher, says why it ends."""
REASON_LINES = 8
REFUSED = re.compile(r".*Application has been killed\. Reason: (.+)")
"""What Spark logs of a master that it gives up, or is given up by; it has no error of that."""
STACK = ("\tat ", "\t... ")
LAST_WORDS = 2.0
"""Seconds for what a JVM that has ended had still to say."""


@dataclass
class Output:
    """What a JVM has said on its standard error, of late."""

    lines: deque[str] = field(default_factory=lambda: deque(maxlen=500))
    reader: threading.Thread | None = None

    def reason(self) -> str:
        """Why it ended, in its own words; empty where it said nothing. Not before it has ended."""
        if self.reader is not None:
            self.reader.join(LAST_WORDS)
        return reason_in(list(self.lines))

    def refusal(self) -> str:
        """Why Spark has stopped without an error of its own; empty where nothing was said."""
        return "\n".join(found[1] for each in [*self.lines] if (found := REFUSED.match(each)))


@contextmanager
def without_noise(say: Callable[[str], object]) -> Iterator[Output]:
    """A JVM that starts within has its standard error read, and passed on by line.

    Ivy's account of the jars becomes one sentence where it downloads them; where it fails, or the
    JVM ends in it, it is shown whole.
    """
    shown = os.dup(STDERR)
    source, sink = os.pipe()
    os.dup2(sink, STDERR)
    os.close(sink)
    output = Output()
    arguments = (source, shown, say, output)
    output.reader = threading.Thread(target=_pass_on, args=arguments, daemon=True)
    output.reader.start()
    try:
        yield output
    finally:
        os.dup2(shown, STDERR)  # the JVM keeps the pipe


def _pass_on(source: int, shown: int, say: Callable[[str], object], output: Output) -> None:
    with os.fdopen(source, "rb") as lines, os.fdopen(shown, "wb", buffering=0) as out:
        for line in useful(lines, say):
            output.lines.append(line.decode(errors="replace").rstrip())
            out.write(line)


def reason_in(lines: Iterable[str]) -> str:
    """From the first line that is an error's on, without stack traces; else the last lines."""
    said = [each for each in lines if each.strip("# ") and not each.startswith(STACK)]
    reason = dropwhile(lambda each: not REASON.match(each), said)
    of_this_start = takewhile(lambda each: not each.startswith(RESOLVING.decode()), reason)
    return "\n".join([*islice(of_this_start, REASON_LINES)] or said[-REASON_LINES:])


def useful(lines: Iterable[bytes], say: Callable[[str], object]) -> Iterator[bytes]:
    """The lines that say something."""
    of_ivy: list[bytes] | None = None
    is_told = False
    for line in lines:
        if of_ivy is None and line.startswith(RESOLVING):
            of_ivy = []
        if of_ivy is None:
            if not line.startswith(NOISE):
                yield line
            continue
        of_ivy.append(line)
        if line.startswith(DOWNLOADING) and not is_told:
            is_told = True
            say(FETCHING)
        if any(each in line for each in FAILED):
            yield from of_ivy
            of_ivy = None
        elif all(each in line for each in RESOLVED):
            of_ivy = None
    yield from of_ivy or ()
