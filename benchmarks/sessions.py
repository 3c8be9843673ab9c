"""The Spark session of the benchmarks: the same settings for every engine."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession
from workload import DATA

T = TypeVar("T")
LOG = DATA / "spark.log"
SETTINGS = {
    "spark.master": "local[2]",
    "spark.driver.memory": "8g",
    "spark.sql.shuffle.partitions": "4",
    "spark.databricks.delta.snapshotPartitions": "2",
    "spark.sql.codegen.cache.maxEntries": "1000",
    "spark.sql.session.timeZone": "UTC",
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.sql.warehouse.dir": str(DATA / "warehouse"),
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}


@contextmanager
def spark_session(settings: dict[str, str]) -> Iterator[SparkSession]:
    """A session in a JVM of its own, gone at the end; the JVM's stderr goes to LOG."""
    builder = SparkSession.builder
    for name, value in settings.items():
        builder = builder.config(name, value)
    with _stderr_in(LOG):
        spark = configure_spark_with_delta_pip(builder).getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    try:
        yield spark
    finally:
        _close(spark)


def jobs_so_far(spark: SparkSession) -> int:
    """Spark jobs submitted since the application began, of whatever thread or job group."""
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())


def timed(spark: SparkSession, call: Callable[[], T]) -> tuple[T, float, int]:
    """What the call gives, its seconds and its Spark jobs, once everything has settled."""
    settle(spark)
    jobs, start = jobs_so_far(spark), time.perf_counter()
    found = call()
    return found, time.perf_counter() - start, jobs_so_far(spark) - jobs


def settle(spark: SparkSession) -> None:
    """Give every merge the same start: no cached data or snapshots, no garbage, no dirty pages."""
    jvm = spark.sparkContext._jvm
    assert jvm is not None
    spark.catalog.clearCache()
    jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()
    jvm.java.lang.System.gc()
    os.sync()


def _close(spark: SparkSession) -> None:
    gateway = spark.sparkContext._gateway
    assert gateway is not None
    spark.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(timeout=60)


@contextmanager
def _stderr_in(log: Path) -> Iterator[None]:
    # Ivy and the launcher write some hundred lines before a log level can be set.
    log.parent.mkdir(parents=True, exist_ok=True)
    terminal = os.dup(2)
    with log.open("ab") as sink:
        os.dup2(sink.fileno(), 2)
    try:
        yield
    except Exception as error:
        raise RuntimeError(f"Spark did not start; its messages are in {log}") from error
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
