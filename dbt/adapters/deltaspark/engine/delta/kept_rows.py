"""A query that is run once: its rows are kept on disk, and measured on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark import StorageLevel
from pyspark.sql import Observation

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame


def kept(frame: DataFrame, *measures: Column) -> tuple[DataFrame, Mapping[str, Any]]:
    """The frame's rows, evaluated once, and the measures over all of them by their aliases.

    The rows lie in the executors' local folders until `Jvm.release` frees them, as a source that
    Delta's MERGE materializes does. With Spark's MEMORY_AND_DISK many rows end a JVM of 1 GB: what
    it spills it holds in memory as well, and counts it no longer. The operating system keeps in
    memory what it has room for.
    """
    observation = Observation()
    measured = frame.observe(observation, *measures)
    rows = measured.localCheckpoint(eager=True, storageLevel=StorageLevel.DISK_ONLY)
    return rows, observation.get
