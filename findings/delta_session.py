"""A quiet SparkSession with Delta on, as Delta's own page says to make one."""

from __future__ import annotations

from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession

EXTENSION = "io.delta.sql.DeltaSparkSessionExtension"
CATALOG = "org.apache.spark.sql.delta.catalog.DeltaCatalog"


def delta_session(**confs: str) -> SparkSession:
    """The session; each conf's name is given with `__` where Spark's has a point."""
    builder = (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "1")
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .config("spark.sql.extensions", EXTENSION)
        .config("spark.sql.catalog.spark_catalog", CATALOG)
    )
    for name, value in confs.items():
        builder = builder.config(name.replace("__", "."), value)
    session = configure_spark_with_delta_pip(builder).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
