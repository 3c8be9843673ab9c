"""A process that changes accounts and is killed: by itself at a named step, or from outside.

It starts Spark, says so in its ledger, reads a `Job` as one line of JSON, and changes its tables
again and again. The ledger has what it began and what it finished, each on disk before it goes on,
and the error of a change whose JVM was killed.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from fnmatch import fnmatch
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

from accounts import ROUTES, Change
from limits import OF_LARGE_TABLES
from sessions import SMALL_TABLES, for_small_tables

from dbt.adapters.deltaspark.engine.delta.transactions import Transaction
from dbt.adapters.deltaspark.session import SessionSettings, open_session

CALLS = {
    "before the files": ("write", False),
    "after the files": ("write", True),
    "before the commit": ("commit", False),
    "after the commit": ("commit", True),
}
"""Steps of the engine: a method of its transaction, and whether it has run."""
FILES = {
    "a data file is being written": "*.parquet",
    "a vector is being written": "deletion_vector_*.bin",
    "the commit is being written": "_delta_log/.*.json.*.tmp",
    "the commit is there": "_delta_log/0*.json",
    "the checksum is being written": "_delta_log/.*.crc.*.tmp",
    "a checkpoint is being written": "_delta_log/.*.checkpoint.parquet.*.tmp",
}
"""Steps of Delta's: the file that such a step begins with."""

JAVA = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")

DIES = {
    "all": "Python and JVM",
    "python": "Python alone, and its JVM finds its other end gone",
    "jvm": "the JVM alone, and Python gets no answer",
}


@dataclass(frozen=True, slots=True)
class Job:
    """What to change, and where to die."""

    folder: str
    routes: tuple[str, ...]
    step: str | None = None
    unharmed: int = 0
    """How many changes end well before the step is deadly."""
    dies: str = "all"
    """Of `DIES`."""
    ends_after: int | None = None
    """How many changes it makes before it ends by itself."""

    def as_line(self) -> str:
        return json.dumps(asdict(self)) + "\n"


def folder_of(folder: Path, route: str) -> Path:
    return folder / route.replace(", ", "_")


class Ledger:
    """Lines that are on disk before the next thing happens."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a")

    def say(self, **what: Any) -> None:
        self._file.write(json.dumps(what) + "\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def die(who: str, jvm: int) -> None:
    """As `kill -9` does it."""
    if who == "all":
        os.killpg(0, signal.SIGKILL)
    os.kill(jvm if who == "jvm" else os.getpid(), signal.SIGKILL)


def arm(job: Job, table: Path, jvm: int) -> None:
    """From now on the step kills."""
    assert job.step is not None
    kill = partial(die, job.dies, jvm)
    if job.step in CALLS:
        method, after = CALLS[job.step]
        setattr(Transaction, method, deadly(getattr(Transaction, method), kill, after=after))
    else:
        known = set(files(table))
        pattern = FILES[job.step]
        threading.Thread(target=kill_at_file, args=(table, pattern, known, kill)).start()


def deadly(method: Callable[..., Any], kill: Callable[[], None], *, after: bool) -> Any:
    def killing(*values: Any, **options: Any) -> Any:
        result = method(*values, **options) if after else None
        kill()
        return result if after else method(*values, **options)

    return killing


def kill_at_file(table: Path, pattern: str, known: set[str], kill: Callable[[], None]) -> None:
    """Hardly sleeps: what it waits for may last a millisecond, and the change needs the core."""
    while not any(fnmatch(name, pattern) for name in files(table) if name not in known):
        time.sleep(0.0002)
    kill()


def files(table: Path) -> Iterator[str]:
    yield from os.listdir(table)
    yield from (f"_delta_log/{name}" for name in os.listdir(table / "_delta_log"))


def changes(job: Job) -> Iterator[tuple[str, int]]:
    """Routes in turn, each with its numbers from 0 on."""
    return ((route, number) for number in count() for route in job.routes)


def main(ledger_path: Path, *java_options: str) -> None:
    confs = {**SMALL_TABLES, "spark.sql.catalogImplementation": "in-memory"}
    options = ("spark.driver.extraJavaOptions", " ".join((*JAVA, *java_options)))
    settings = SessionSettings(
        master="local[1]", driver_memory="512m", spark_config=(*confs.items(), options)
    )
    OF_LARGE_TABLES.put_in_force()
    spark = for_small_tables(open_session(settings))
    jvm = spark._jvm.java.lang.ProcessHandle.current().pid()
    ledger = Ledger(ledger_path)
    ledger.say(jvm=jvm)
    job = Job(**json.loads(sys.stdin.readline()))
    for done, (route, number) in enumerate(islice(changes(job), job.ends_after)):
        table = folder_of(Path(job.folder), route)
        if job.step is not None and done == job.unharmed:
            arm(job, table, jvm)
        ledger.say(began=number, route=route)
        try:
            ROUTES[route].run(Change(spark, table, route, number))
        except Exception as error:
            ledger.say(error=type(error).__name__, text=str(error), route=route)
            raise
        ledger.say(finished=number, route=route)
        if job.step is not None and done == job.unharmed:
            raise SystemExit(f"{route} never came to the step: {job.step}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
