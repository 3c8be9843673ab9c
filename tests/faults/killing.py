"""Kills of a process: which ones there are, and how one is carried out."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import killed_process
from accounts import ROUTES
from killed_process import CALLS, DIES, FILES, Job

if TYPE_CHECKING:
    from random import Random

SECONDS = 300
"""How long a process may take to start, or to come to its step; the machine may be busy."""
LONGEST = 12.0
"""Seconds after the first change within which a process is killed at a random moment."""
ADD_ROWS_ONLY = ("insert_only", "append", "overwrite")
DATA, CHECKPOINT = "a data file is being written", "a checkpoint is being written"


@dataclass(frozen=True, slots=True)
class Kill:
    """Whom, where and when; without a step from outside, after so many seconds."""

    routes: tuple[str, ...]
    named: str | None
    dies: str = "all"
    unharmed: int = 0
    seconds: float = 0.0

    @property
    def route(self) -> str:
        return self.routes[0] if self.named is not None else "several in turn"

    @property
    def step(self) -> str:
        return self.named or "any moment"

    def __str__(self) -> str:
        where = self.named or f"after {self.seconds:.2f} s of {', '.join(self.routes)}"
        return f"{self.route}: {where} ({DIES[self.dies]})"


def reaches(route: str, step: str) -> bool:
    """Whether a change of the route comes to the step at all."""
    marks = ROUTES[route].vectors and route not in ADD_ROWS_ONLY
    if step == "a vector is being written":
        return marks
    return route != "delete" or step not in ("before the files", "after the files", DATA)


def named_kills(random: Random) -> list[Kill]:
    """Every step of every route, once with both processes and once with either of them."""
    return [
        # The first change comes to an even version, which gets a checkpoint.
        Kill((route,), step, dies, unharmed=0 if step == CHECKPOINT else random.randrange(2))
        for route, step in product(ROUTES, (*CALLS, *FILES))
        if reaches(route, step)
        for dies in ("all", random.choice(("python", "jvm")))
    ]


def random_kill(random: Random) -> Kill:
    routes = tuple(random.sample([*ROUTES], 4))
    dies = random.choice(("all", "python"))
    return Kill(routes, None, dies, seconds=random.uniform(0, LONGEST))


def archived(classes: Path, folder: Path) -> Path:
    """The classes of a process that makes each change once, so that others need not load them."""
    job = Job(str(folder), (*ROUTES,), ends_after=len(ROUTES))
    path = folder / "ledger"
    with started(path, f"-XX:ArchiveClassesAtExit={classes}") as process:
        begin(job, path, process)
        assert process.wait(SECONDS) == 0, printed(path)
        wait_until(lambda: not is_alive(said(path)[0]["jvm"]), None, "the JVM is still there")
    assert classes.exists(), printed(path)
    return classes


def begin(job: Job, ledger: Path, process: subprocess.Popen[str]) -> None:
    wait_until(lambda: bool(said(ledger)), process, "Spark has not started")
    assert process.stdin is not None
    process.stdin.write(job.as_line())
    process.stdin.flush()


def killed(kill: Kill, folder: Path, classes: Path | None = None) -> list[dict[str, Any]]:
    """The ledger of a process that was killed so; its JVM has ended too."""
    path = folder / "ledger"
    job = Job(str(folder), kill.routes, kill.named, kill.unharmed, kill.dies)
    with started(path, *([f"-XX:SharedArchiveFile={classes}"] if classes else [])) as process:
        begin(job, path, process)
        if kill.named is None:
            wait_until(lambda: len(said(path)) > 1, process, "no change was begun")
            time.sleep(kill.seconds)
            process.kill() if kill.dies == "python" else end_group(process.pid)
        code = process.wait(SECONDS)
        was_killed = code == -signal.SIGKILL or kill.dies == "jvm" and "error" in said(path)[-1]
        assert was_killed, f"it was not killed, it ended with {code}: {printed(path)}"
        jvm = said(path)[0]["jvm"]
        wait_until(lambda: not is_alive(jvm), None, "the JVM is still there")
    return said(path)


@contextmanager
def started(ledger: Path, *java_options: str) -> Iterator[subprocess.Popen[str]]:
    """The process in a group of its own, which is gone in the end."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, killed_process.__file__, str(ledger), *java_options]
    with (
        ledger.with_suffix(".errors").open("w") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=errors,
            stderr=errors,
            text=True,
            env=environment,
            cwd=ledger.parent,
            start_new_session=True,
        ) as process,
    ):
        try:
            yield process
        finally:
            end_group(process.pid)


def end_group(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def printed(ledger: Path) -> str:
    return ledger.with_suffix(".errors").read_text()[-2000:]


def said(ledger: Path) -> list[dict[str, Any]]:
    """The ledger's whole lines."""
    text = ledger.read_text() if ledger.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(
    condition: Callable[[], bool], process: subprocess.Popen[str] | None, problem: str
) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert process is None or process.poll() is None, f"{problem}: it ended"
        assert time.monotonic() < deadline, problem
        time.sleep(0.02)
