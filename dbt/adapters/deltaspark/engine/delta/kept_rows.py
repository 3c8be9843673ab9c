"""A query that is run once: its rows are kept, and measured on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel
from pyspark.sql import DataFrame, Observation
from pyspark.sql.utils import is_remote

from .jvm import Jvm, confs
from .server_sessions import made_active

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column

AT_ONCE = {"spark.sql.limit.initialNumPartitions": "1000000"}
"""A limit reads all partitions in its first job, not one, and then four, and then sixteen."""


def kept(frame: DataFrame, *measures: Column) -> tuple[DataFrame, Mapping[str, Any]]:
    """The frame's rows, evaluated once, and the measures over all of them by their aliases.

    The rows lie in the executors' local folders until `freed`, as a source that
    Delta's MERGE materializes does. With Spark's MEMORY_AND_DISK many rows end a JVM of 1 GB: what
    it spills it holds in memory as well, and counts it no longer. The operating system keeps in
    memory what it has room for.

    Where Spark has a checkpoint directory (`spark.checkpoint.dir`) they lie there instead: an
    executor that is lost takes none of them along.
    """
    if is_remote():  # there a checkpoint observes nothing
        rows = on_server(frame)
        return rows, rows.agg(*measures).collect()[0].asDict()
    observation = Observation()
    measured = frame.observe(observation, *measures)
    if frame.sparkSession.sparkContext.getCheckpointDir() is not None:
        rows = measured.checkpoint(eager=True)
    else:
        rows = measured.localCheckpoint(eager=True, storageLevel=StorageLevel.DISK_ONLY)
    return rows, observation.get


def on_driver(frame: DataFrame, most: int) -> DataFrame | None:
    """The rows, evaluated once and held by the driver; None where there are more than `most`.

    To read them again takes no job, and no executor can lose them. Only in a private session:
    confs are set in it.
    """
    jvm = Jvm(frame.sparkSession)
    with confs(jvm, AT_ONCE):
        found = frame.limit(most + 1)._jdf.collectAsList()
    if found.size() > most:
        return None
    return DataFrame(jvm.session.createDataFrame(found, frame._jdf.schema()), jvm.spark)


def on_server(frame: DataFrame) -> DataFrame:
    """The rows, evaluated once, in a Spark Connect server that keeps them as long as this frame."""
    made_active(frame.sparkSession)  # else what comes back is of another session
    return frame.localCheckpoint(eager=True, storageLevel=StorageLevel.DISK_ONLY)


def freed(rows: DataFrame) -> None:
    """Give up what `kept` holds; a server does so by itself when nobody refers to it any more."""
    if not is_remote():
        Jvm(rows.sparkSession).release(rows)
