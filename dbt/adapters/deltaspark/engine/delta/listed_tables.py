"""Small Delta tables that a query reads, by the files that their checksum lists.

Delta puts a table's state together for the first query after each commit, and asks it for the files
of every scan, three times where files have vectors: in Spark jobs that take longer than to read a
small table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .checksum import Checksum
from .jvm import DELTA, Jvm
from .scans import LOG_INDEX, batch_index, file_index, logs_read

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .jvm import JavaObject

MOST_BYTES = 32 * 1024 * 1024
"""Of a table's files: statistics leave nothing out of the list, of a larger one it may be much."""


def read_as_listed(jvm: Jvm, plan: JavaObject, but: JavaObject | None = None) -> JavaObject:
    """The analyzed plan with its small Delta tables bound to their files, as of now.

    As it is where the checksum lists no files. Left as it is, too, is the table of the log `but`,
    whose transaction records what is read of it, and each table that a subquery reads as well: a
    query sees one version of a table. Never raises: what is wrong, Delta says when it plans.
    """
    try:
        return _bound(jvm, plan, but)
    except (Py4JError, PySparkException):
        return plan


def reading_as_listed(frame: DataFrame) -> DataFrame:
    """The same rows, read so."""
    jvm = Jvm(frame.sparkSession)
    plan = jvm.analyzed(frame)
    listed = read_as_listed(jvm, plan)
    return frame if listed is plan else jvm.frame(listed)


def _bound(jvm: Jvm, plan: JavaObject, but: JavaObject | None) -> JavaObject:
    scans = _scans(jvm, plan)
    if not scans or jvm.caches_something():
        return plan
    read = [log for each in jvm.items(plan.subqueriesAll()) for log in logs_read(jvm, each)]
    left = {_path(log) for log in (but, *read) if log is not None}
    tables, bound = jvm.module(f"{DELTA}.DeltaTableUtils"), jvm.map({})
    indexes: dict[tuple[str, int | None], JavaObject | None] = {}
    for scan, index in scans:
        path = _path(index.deltaLog())
        if path in left:
            continue
        key = (path, index.version() if index.isTimeTravelQuery() else None)
        if key not in indexes:
            indexes[key] = _listed(jvm, index)
        if (listed := indexes[key]) is not None:
            bound = bound.updated(scan, tables.replaceFileIndex(scan, listed))
    if bound.isEmpty():
        return plan
    plan = plan.transform(bound)
    plan.setAnalyzed()
    return plan


def _scans(jvm: Jvm, plan: JavaObject) -> list[tuple[JavaObject, JavaObject]]:
    """Each scan of a Delta table that is the plan's own, and its index."""
    pairs = [(leaf, file_index(jvm, leaf)) for leaf in jvm.items(plan.collectLeaves())]
    return [
        (leaf, index)
        for leaf, index in pairs
        if index is not None
        and jvm.is_a(index, LOG_INDEX)
        and not leaf.isStreaming()
        and index.partitionFilters().isEmpty()
    ]


def _listed(jvm: Jvm, index: JavaObject) -> JavaObject | None:
    """An index of the files of the snapshot that the given one would read now, if it is small."""
    snapshot = index.getSnapshot()
    checksum = Checksum(jvm, snapshot)
    size = checksum.recorded_size
    if size is None or size.bytes > MOST_BYTES or checksum.files is None:
        return None
    return batch_index(jvm, checksum.files, snapshot)


def _path(log: JavaObject) -> str:
    path: str = log.dataPath().toString()
    return path
