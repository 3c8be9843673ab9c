"""A commit made again on a newer snapshot, where what came first changed nothing that was read.

Delta's conflict check looks at partition values only, so that every file which another writer adds
to a table without partitions conflicts with every change. Here the reads are made again: where they
give the very files that the change was computed from, the change is right on the new snapshot too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .checksum import Checksum
from .conflicts import another_came_first
from .data_skipping import read_files
from .jvm import DELTA, JavaObject, Jvm

logger = logging.getLogger(__name__)
Result = TypeVar("Result")
MOST_TIMES = 100
MOST_COMPARED = 1000


def until_rebased(
    jvm: Jvm, java: JavaObject, actions: JavaObject, commit: Callable[[JavaObject], Result]
) -> Result:
    """What the actions' commit gives; raises its conflict where the work has to be done again."""
    for _ in range(MOST_TIMES):
        try:
            return commit(java)
        except (Py4JError, PySparkException) as error:
            newer = _rebased(jvm, java, actions) if another_came_first(jvm, error) else None
            if newer is None:
                raise
        logger.info("another commit came first and changed nothing that was read")
        java = newer
    return commit(java)


def _rebased(jvm: Jvm, java: JavaObject, actions: JavaObject) -> JavaObject | None:
    """A transaction on the newest snapshot that has read the same files, if there is one."""
    if not _changes_files_alone(jvm, java, actions):
        return None
    newer = java.deltaLog().startTransaction(java.catalogTable(), jvm.none)
    unchanged = newer.metadata().equals(java.metadata()) and newer.protocol().equals(
        java.protocol()
    )
    if not unchanged:
        return None
    checksum = Checksum(jvm, newer.snapshot())
    for read in java.readPredicates().toArray():
        if not read.shouldRewriteFilter():
            return None  # not of the table's columns, but of the log's: a dynamic overwrite's
        read_files(checksum, newer, read.partitionPredicates().appendedAll(read.dataPredicates()))
    return newer if _are_the_same(newer.readFiles(), java.readFiles()) else None


def _are_the_same(files: JavaObject, others: JavaObject) -> bool:
    """Whether both sets have the same files, with the same vectors.

    Of one that a checksum did not list, most statistics are not there: not equal, but the same.
    """
    if files.equals(others):
        return True
    if files.size() != others.size() or files.size() > MOST_COMPARED:
        return False
    return _identities(files) == _identities(others)


def _identities(files: JavaObject) -> set[tuple[str, str]]:
    return {(f.path(), f.getDeletionVectorUniqueId().toString()) for f in files.toArray()}


def _changes_files_alone(jvm: Jvm, java: JavaObject, actions: JavaObject) -> bool:
    """Not the table's metadata, its clustering or its identity columns' marks, not idempotently.

    Clustering is metadata of a domain: Delta's conflict may be that another commit has set it. The
    domain of row tracking is none of these actions: Delta adds it as it commits.
    """
    domains = jvm.module(f"{DELTA}.DomainMetadataUtils").extractDomainMetadatasMap(actions)
    columns = jvm.module(f"{DELTA}.ColumnWithDefaultExprUtils")
    return bool(
        java.metadata().equals(java.snapshot().metadata())
        and java.protocol().equals(java.snapshot().protocol())
        and java.readTxn().isEmpty()
        and not java.readTheWholeTable()
        and domains.isEmpty()
        and not columns.hasIdentityColumn(java.metadata().schema())
    )
