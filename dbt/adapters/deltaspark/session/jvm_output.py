"""What the JVM prints when it starts, without the lines that nobody can use."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

INCUBATOR = b"WARNING: Using incubator modules"
RESOLVING = b":: loading settings ::"
RESOLVED = (b" artifacts copied, ", b" already retrieved (")
DOWNLOADING = b"downloading "
FAILED = (b"UNRESOLVED DEPENDENCIES", b"[FAILED", b"Exception")
FETCHING = "Fetching Delta's jars, once"
STDERR = 2


@contextmanager
def without_noise(say: Callable[[str], object]) -> Iterator[None]:
    """A JVM that starts within has its standard error read, and passed on by line.

    Ivy's account of the jars becomes one sentence where it downloads them; where it fails, or the
    JVM ends in it, it is shown whole.
    """
    shown = os.dup(STDERR)
    source, sink = os.pipe()
    os.dup2(sink, STDERR)
    os.close(sink)
    threading.Thread(target=_pass_on, args=(source, shown, say), daemon=True).start()
    try:
        yield
    finally:
        os.dup2(shown, STDERR)  # the JVM keeps the pipe


def _pass_on(source: int, shown: int, say: Callable[[str], object]) -> None:
    with os.fdopen(source, "rb") as lines, os.fdopen(shown, "wb", buffering=0) as out:
        for line in useful(lines, say):
            out.write(line)


def useful(lines: Iterable[bytes], say: Callable[[str], object]) -> Iterator[bytes]:
    """The lines that say something."""
    of_ivy: list[bytes] | None = None
    is_told = False
    for line in lines:
        if of_ivy is None and line.startswith(RESOLVING):
            of_ivy = []
        if of_ivy is None:
            if not line.startswith(INCUBATOR):
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
