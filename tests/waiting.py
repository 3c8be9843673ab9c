"""For what another process or thread does in its own time."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def wait_until(condition: Callable[[], bool], problem: str, seconds: float = 180) -> None:
    """Fails with the problem where the condition does not hold within so many seconds."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, problem
        time.sleep(0.05)


def wait_for_listeners(spark: SparkSession, seconds: int = 180) -> None:
    """Until Spark's listeners, its status tracker among them, have heard of what has happened."""
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty(seconds * 1000)
