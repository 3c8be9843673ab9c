"""This process on a Spark that another one has started: its context, and its profile's confs."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

from . import handshake

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway

    from .handshake import Handshake

GATEWAY = ("PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET")
"""Where PySpark looks for a JVM that runs already."""


@dataclass(frozen=True, slots=True)
class Attached:
    """What a session of a warm Spark needs so that its profile's confs are in force."""

    modified: tuple[tuple[str, str], ...]
    unset: tuple[str, ...]

    def adjust(self, session: SparkSession) -> None:
        for name, value in self.modified:
            session.conf.set(name, value)
        for name in self.unset:
            session.conf.unset(name)


def attach(folder: Path, found: Handshake) -> SparkSession:
    """This process's SparkContext is the one that runs in the warm JVM."""
    handshake.register(folder)
    handler = signal.getsignal(signal.SIGINT)
    gateway = _gateway(found)
    SparkContext._ensure_initialized(gateway=gateway)
    jvm = gateway.jvm
    running = getattr(getattr(jvm, "org.apache.spark.SparkContext$"), "MODULE$").getActive()
    java = jvm.JavaSparkContext(running.get())
    context = SparkContext(gateway=gateway, jsc=java, conf=SparkConf(_jconf=java.getConf()))
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, handler)  # PySpark's cancels the jobs of every process
    return SparkSession(context)


def detach() -> None:
    """This process has no SparkContext any more; the JVM keeps its own."""
    gateway = SparkContext._gateway
    SparkContext._active_spark_context = None
    SparkContext._gateway = SparkContext._jvm = None
    SparkSession._instantiatedSession = None
    handshake.withdraw()
    if gateway is not None:
        with suppress(OSError):
            gateway.close()


def compared(
    session: SparkSession, found: Handshake, confs: Mapping[str, str]
) -> tuple[Attached, list[str]]:
    """What each session has to be given, and which of the other confs differ."""
    differ = [
        name
        for name in sorted({*found.confs, *confs})
        if name not in confs or found.confs.get(name) != found.digest(confs[name])
    ]
    modifiable = [name for name in differ if session.conf.isModifiable(name)]
    fixed = [f"the conf {name} differs" for name in differ if name not in modifiable]
    modified = tuple((name, confs[name]) for name in modifiable if name in confs)
    unset = tuple(name for name in modifiable if name not in confs)
    return Attached(modified, unset), fixed


def figures(found: Handshake) -> dict[str, int]:
    """What a warm Spark holds and does, for `deltaspark status`; memory in MB."""
    jvm = _gateway(found).jvm
    runtime = jvm.java.lang.Runtime.getRuntime()
    context = getattr(getattr(jvm, "org.apache.spark.SparkContext$"), "MODULE$").getActive().get()
    return {
        "heap": (runtime.totalMemory() - runtime.freeMemory()) >> 20,
        "most": runtime.maxMemory() >> 20,
        "jobs": len(list(context.statusTracker().getActiveJobIds())),
    }


def _gateway(found: Handshake) -> JavaGateway:
    """A connection to the JVM; PySpark takes where it is from the environment."""
    before = {name: os.environ.get(name) for name in GATEWAY}
    os.environ |= dict(zip(GATEWAY, (str(found.port), found.secret), strict=True))
    try:
        return launch_gateway()  # type: ignore[no-untyped-call]
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
