"""This process on a Spark that another one has started: its context, and its profile's confs."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession, SQLContext

from . import handshake
from .applied_confs import takes
from .jvm_start import environment_of, in_time
from .py4j_connections import mend_connections

if TYPE_CHECKING:
    from types import FrameType

    from py4j.java_gateway import JavaGateway, JavaObject

    from .handshake import Handshake

GATEWAY = ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET")
"""Where PySpark looks for a JVM that runs already."""
A_SESSION = "org.apache.spark.sql.classic.SparkSession"
CANCELLING = 5.0
"""Seconds that Ctrl-C waits for the JVM."""


@dataclass(frozen=True, slots=True)
class Attached:
    """What a session of a warm Spark needs so that its profile's confs are in force."""

    modified: tuple[tuple[str, str], ...]
    unset: tuple[str, ...]

    def adjust(self, session: SparkSession) -> None:
        """What the session's jobs in this thread are found by, and its confs."""
        if (name := handshake.user()) is not None:
            session.sparkContext.addJobTag(name)
        for name, value in self.modified:
            session.conf.set(name, value)
        for name in self.unset:
            session.conf.unset(name)


class SharedContext(SparkContext):
    """The SparkContext of a JVM that others use, too: to stop it is to leave it."""

    def stop(self) -> None:
        detach()


class SharedSession(SparkSession):
    """A session of it. PySpark's own takes the JVM's default session along, which all share:
    the next one to come would begin without the others' cached tables and global views."""

    def stop(self) -> None:
        self._sc.stop()


def attach(folder: Path, found: Handshake) -> SparkSession:
    """This process's SparkContext is the one that runs in the warm JVM."""
    handler = signal.getsignal(signal.SIGINT)
    handshake.register(folder)
    try:
        gateway = _gateway(found)
        SparkContext._ensure_initialized(gateway=gateway)
        java = gateway.jvm.JavaSparkContext(_running(gateway))
        conf = SparkConf(_jconf=java.getConf())
        context = SharedContext(gateway=gateway, jsc=java, conf=conf)
    except BaseException:
        detach()
        raise
    if threading.current_thread() is threading.main_thread():
        # PySpark's own would cancel the jobs of every process.
        signal.signal(signal.SIGINT, _interrupted(context, handler))
    return SharedSession(context)


def _running(gateway: JavaGateway) -> JavaObject:
    companion = getattr(getattr(gateway.jvm, "org.apache.spark.SparkContext$"), "MODULE$")
    return companion.getActive().get()


def _interrupted(context: SparkContext, handler: Any) -> Callable[[int, FrameType | None], None]:
    """Ctrl-C: the jobs of this process end, and what was done before is done.

    The interrupted thread may wait for the JVM's answer, and cannot ask it anything meanwhile.
    """

    def interrupted(number: int, frame: FrameType | None) -> None:
        if (name := handshake.user()) is not None:
            in_time(lambda: context.cancelJobsWithTag(name), CANCELLING)
        if not callable(handler):
            raise KeyboardInterrupt
        handler(number, frame)

    return interrupted


def detach() -> None:
    """This process has no SparkContext any more; the JVM keeps its own."""
    SparkContext._active_spark_context = None
    SparkContext._gateway = SparkContext._jvm = None
    SparkSession._instantiatedSession = SparkSession._activeSession = None
    SQLContext._instantiatedContext = None
    handshake.withdraw()


def compared(
    session: SparkSession, found: Handshake, confs: Mapping[str, str]
) -> tuple[Attached, list[str]]:
    """What each session has to be given, and which of the other confs differ."""
    differ = [
        name
        for name in sorted({*found.confs, *confs})
        if name not in confs or found.confs.get(name) != found.digest(confs[name])
    ]
    modifiable = [name for name in differ if takes(session, name)]
    fixed = [f"{name} differs" for name in differ if name not in modifiable]
    modified = tuple((name, confs[name]) for name in modifiable if name in confs)
    unset = tuple(name for name in modifiable if name not in confs)
    return Attached(modified, unset), fixed


def figures(found: Handshake) -> dict[str, int]:
    """What a warm Spark holds and does, for `deltaspark status`; memory in MB.

    `sessions` are those that Pythons hold: the keeper's own, and one or more of each process.
    """
    gateway = _gateway(found)
    jvm = gateway.jvm
    runtime = jvm.java.lang.Runtime.getRuntime()
    context = _running(gateway)
    return {
        "heap": (runtime.totalMemory() - runtime.freeMemory()) >> 20,
        "most": runtime.maxMemory() >> 20,
        "sessions": _sessions(gateway),
        "jobs": len(list(context.statusTracker().getActiveJobIds())),
    }


def _sessions(gateway: JavaGateway) -> int:
    """Each is held by as many names as Python has come by it."""
    held = gateway.java_gateway_server.getGateway().getBindings().values()
    google, kind = gateway.jvm.com.google.common.collect, gateway.jvm.java.lang.Class
    found = google.Iterables.filter(held, kind.forName(A_SESSION))
    count: int = google.Sets.newHashSet(found).size()
    return count


def _gateway(found: Handshake) -> JavaGateway:
    """A connection to the JVM; PySpark takes where it is from the environment."""
    mend_connections()
    with environment_of(dict(zip(GATEWAY, (str(found.port), found.secret), strict=True))):
        return launch_gateway()  # type: ignore[no-untyped-call]
