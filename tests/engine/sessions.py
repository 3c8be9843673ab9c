"""Spark sessions for many tiny tables: the same plans, less waiting."""

from __future__ import annotations

import sys
from pathlib import Path

from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from dbt.adapters.deltaspark.engine.delta import cloned

SMALL_TABLES = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.sql.session.timeZone": "UTC",
}
JAVA = " ".join(
    (
        "-XX:Tier4InvocationThreshold=50000 -XX:Tier4MinInvocationThreshold=6000",
        "-XX:Tier4CompileThreshold=150000 -XX:Tier4BackEdgeThreshold=400000",
        "-XX:+UseSerialGC",
        "-XX:NewSize=512m",
        "-XX:ReservedCodeCacheSize=1g",
        *(["-Djdk.lang.Process.launchMechanism=VFORK"] if sys.platform == "linux" else []),
    )
)
"""Thousands of different plans: by its own thresholds, a tenth of these, the JVM's second compiler
would take half of the time for code that hardly runs; without it, what is run for each plan stays
slow. What is compiled is not to be thrown away again. And processes, started in the quickest way:
Hadoop starts one (chmod) for each file that it writes."""
QUICK = {
    **SMALL_TABLES,
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.driver.extraJavaOptions": JAVA,
    "spark.hadoop.fs.AbstractFileSystem.file.impl": "org.apache.hadoop.fs.local.RawLocalFs",
}
"""The confs that a Spark of tests starts with: small tables, and a commit's file has no checksum
beside it, for which Hadoop would start five processes."""


def for_small_tables(spark: SparkSession) -> SparkSession:
    """A new session that compiles and shuffles as little as it can."""
    session = cloned(spark) if is_remote() else spark.newSession()
    for name, value in SMALL_TABLES.items():
        session.conf.set(name, value)
    return session


def without_checksum_files(spark: SparkSession) -> SparkSession:
    """The same; Hadoop writes no checksum beside each file from now on."""
    hadoop = spark._jvm.org.apache.hadoop.fs.FileSystem
    hadoop.getLocal(spark._jsc.hadoopConfiguration()).setWriteChecksum(False)
    return spark


def jobs_so_far(spark: SparkSession) -> int:
    """How many jobs this Spark has been given."""
    return int(spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs())


def forget_tables(spark: SparkSession) -> None:
    """Delta keeps the log of every table it saw, with its plans: hundreds of tables fill a heap."""
    if not is_remote():
        spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()


def local_spark(folder: Path, *, master: str = "local[2]", memory: str = "2g") -> SparkSession:
    """A Spark of its own in this process, with an in-memory catalog."""
    builder = (
        SparkSession.builder.master(master)
        .config("spark.driver.memory", memory)
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.log.level", "OFF")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config(
            "spark.sql.catalog.spark_catalog",
            "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        )
    )
    for name, value in QUICK.items():
        builder = builder.config(name, value)
    return without_checksum_files(configure_spark_with_delta_pip(builder).getOrCreate())


def kept_frames(session: SparkSession) -> set[tuple[int, str]]:
    """What is kept in memory or on disk, but for Delta's own snapshots."""
    kept = session.sparkContext._jsc.sc().getRDDStorageInfo()
    return {(info.id(), info.name()) for info in kept if "Delta Table State" not in info.name()}
