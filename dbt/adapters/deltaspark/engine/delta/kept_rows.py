"""A query that is run once: its rows are kept, measured on the way, and may be lost."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, TypeVar

from py4j.protocol import Py4JError
from pyspark import StorageLevel
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Observation
from pyspark.sql.utils import is_remote

from .jvm import Jvm, conditions, confs
from .server_sessions import made_active

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pyspark.sql import Column

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

LEVELS = (
    StorageLevel.DISK_ONLY,
    StorageLevel.DISK_ONLY_2,
    StorageLevel.DISK_ONLY_3,
    StorageLevel.DISK_ONLY_3,
)
"""Of one attempt after the other, as in Delta's MERGE (merge.materializeSource.maxAttempts,
rddStorageLevel, rddStorageLevelFirstRetry, rddStorageLevelRetry): where an executor took rows
along, each is kept on two, and then on three."""
LOST = "CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND"

_level: ContextVar[StorageLevel | None] = ContextVar("_level", default=None)
"""Of the attempt that is being made; None where nothing begins again."""

AT_ONCE = {"spark.sql.limit.initialNumPartitions": "1000000"}
"""A limit reads all partitions in its first job, not one, and then four, and then sixteen."""


def kept(frame: DataFrame, *measures: Column) -> tuple[DataFrame, Mapping[str, Any]]:
    """The frame's rows, evaluated once, and the measures over all of them by their aliases.

    The rows lie in the executors' local folders until `freed`, as a source that
    Delta's MERGE materializes does. With Spark's MEMORY_AND_DISK many rows end a JVM of 1 GB: what
    it spills it holds in memory as well, and counts it no longer. The operating system keeps in
    memory what it has room for. See `until_no_row_is_lost` for executors that go.

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
        level = _level.get() or StorageLevel.DISK_ONLY
        rows = measured.localCheckpoint(eager=True, storageLevel=level)
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


def until_no_row_is_lost(run: Callable[[], Result]) -> Result:
    """Run; again from the start where rows that it kept went with an executor.

    Inside of another it is the outer one that begins again: the rows may be its own.
    """
    if _level.get() is not None:
        return run()
    for level in LEVELS[:-1]:
        try:
            with _kept_by(level):
                return run()
        except (Py4JError, PySparkException) as error:
            if LOST not in conditions(error):
                raise
        logger.warning("rows that had been evaluated were lost: starting over")
    with _kept_by(LEVELS[-1]):
        return run()


@contextmanager
def _kept_by(level: StorageLevel) -> Iterator[None]:
    token = _level.set(level)
    try:
        yield
    finally:
        _level.reset(token)
