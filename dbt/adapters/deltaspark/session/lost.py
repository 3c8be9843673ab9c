"""What has to go before another Spark can start in a process: one that was lost, an idle JVM."""

from __future__ import annotations

import warnings
from contextlib import suppress
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark import SparkContext

from .attach import detach
from .jvm_start import end_jvm, spark_submit_runs

if TYPE_CHECKING:
    from .warm import Say

ENDING = 20.0
"""Seconds that a JVM has to end."""


def leave_lost(context: SparkContext, warn: Say) -> bool:
    """Whether the Spark was lost; then this process has none any more, and may start another."""
    if _runs(context):
        return False
    warn("The Spark of this process is gone (its JVM was killed, or ended): another one is started")
    with warnings.catch_warnings(), suppress(OSError):
        warnings.simplefilter("ignore", RuntimeWarning)  # PySpark's: that it cannot be asked
        context.stop()
    leave_jvm()
    return True


def leave_jvm() -> None:
    """The JVM that this process has started, and in which no Spark runs any more, is ended.

    Jars, memory and the embedded catalog are a JVM's: another Spark in it would have the first's.
    """
    started_here = getattr(SparkContext._gateway, "proc", None) is not None
    if started_here and not spark_submit_runs():
        end_jvm(None, ENDING)
        detach()


def _runs(context: SparkContext) -> bool:
    """Its JVM answers, and no error in it has stopped its Spark."""
    process = getattr(SparkContext._gateway, "proc", None)
    if process is not None and process.poll() is not None:
        return False
    try:
        return not context._jsc.sc().isStopped()
    except (Py4JError, OSError):
        return False
