"""Deletion vectors through the JVM: rows of files -> bitmaps -> files with a vector."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from . import few_vectors, wide_bounds
from .execution import at_once, described
from .files import FileChanges, Files
from .jvm import DELTA, JavaObject, optional
from .scans import vector_helper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import DataFrame

    from .few_vectors import Place
    from .jvm import Jvm
    from .transactions import Transaction

logger = logging.getLogger(__name__)

FILES_TAKEN_ONE_BY_ONE = 200


def mark_deleted(
    transaction: Transaction,
    rows: DataFrame,
    file: str,
    row: str,
    files: Files,
    count: int | None = None,
) -> FileChanges:
    """Vectors over these rows, merged with those the files have; files left empty are removed.

    `rows` has a column named by `file` (the URL-encoded path) and one named by `row`
    (`_metadata.row_index`), in which a row may come several times; `files` are where they come
    from. A file that has a vector must say so here, or the vector would be lost. `count` is the
    number of rows that were kept, to be read again: of few the vectors are made on the driver.
    """
    results, known = at_once(
        transaction,
        lambda: _stored(transaction, rows, file, row, files, count),
        lambda: _known(transaction, files),
    )
    return _marked(transaction, files, results, known)


def mark_places(transaction: Transaction, places: Iterable[Place], files: Files) -> FileChanges:
    """The same for rows that the driver knows, each by its file and its position."""
    results = few_vectors.stored_vectors(transaction, places, files)
    return _marked(transaction, files, results, _known(transaction, files))


def _marked(
    transaction: Transaction, files: Files, results: JavaObject, known: Files | None
) -> FileChanges:
    """The files with their new vectors; `known` are the same as they are in the log."""
    found = transaction.jvm.items(results)
    marked = sum(result.matchedRowCount() for result in found)
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("%d rows marked, in files: %s", marked, [each.filePath() for each in found])
    if known is None and len(found) <= FILES_TAKEN_ONE_BY_ONE:
        touched = transaction.select(files, (result.filePath() for result in found))
        known = transaction.with_statistics(touched)
    if known is not None and _statistics_stay_right(transaction, known):
        return _one_by_one(transaction, known, results, marked)
    return _by_jobs(transaction, known or files, results, marked)


def _known(transaction: Transaction, files: Files) -> Files | None:
    """What the commit needs of the log, read beside the scan."""

    def listed() -> Files | None:
        return transaction.with_statistics(files) if are_few(files) else None

    if transaction.checksum.counts_vectors:
        return listed()
    known, _ = at_once(transaction, listed, transaction.count_vectors)
    return known


def are_few(files: Files) -> bool:
    return files.count <= FILES_TAKEN_ONE_BY_ONE


def _stored(
    transaction: Transaction,
    rows: DataFrame,
    file: str,
    row: str,
    files: Files,
    count: int | None,
) -> JavaObject:
    """Written vectors by file, those that the files have merged in (DeletionVectorResult)."""
    with described(transaction.jvm, "writing deletion vectors"):
        if count is None or count > few_vectors.MOST_ROWS:
            return _bitmaps(transaction, rows, file, row, files)
        places = [(path, position) for path, position in rows.select(file, row).collect()]
        return few_vectors.stored_vectors(transaction, places, files)


def _bitmaps(
    transaction: Transaction, rows: DataFrame, file: str, row: str, files: Files
) -> JavaObject:
    """The same by a Spark job, of any number of rows."""
    jvm = transaction.jvm
    generator = jvm.type(f"{DELTA}.commands.DeletionVectorBitmapGenerator")
    return generator.buildRowIndexSetsForFilesMatchingCondition(
        jvm.session,
        transaction.java,
        transaction.has_vectors(files),
        rows._jdf,
        files.java,
        transaction.jvm.true(),
        jvm.some(F.col(file)._jc),
        jvm.some(F.col(row)._jc),
    )


def _statistics_stay_right(transaction: Transaction, files: Files) -> bool:
    """Whether a new vector only loosens the files' bounds (Snapshot.updateStatsToWideBounds).

    Not where the number of rows is unknown, nor where bounds are called tight over a vector.
    """
    if transaction.logical_rows(files) is None:
        return False
    return not transaction.has_vectors(files) or not any(
        file.deletionVector() is not None and optional(file.tightBounds()) is not False
        for file in transaction.jvm.items(files.java)
    )


def _matched_files(transaction: Transaction, files: Files, results: JavaObject) -> JavaObject:
    helper = vector_helper(transaction.jvm)
    known = helper.generateCandidateFileMap(transaction.java.deltaLog().dataPath(), files.java)
    return helper.findFilesWithMatchingRows(transaction.java, known, results)


def _one_by_one(
    transaction: Transaction, files: Files, results: JavaObject, marked: int
) -> FileChanges:
    """No Spark job: the files carry their statistics already."""
    jvm, marked_files, new, old, emptied = transaction.jvm, [], [], [], []
    for touched in jvm.items(_matched_files(transaction, files, results)):
        file = touched.fileLogEntry()
        if touched.isFullyReplaced():
            emptied.append(file)
        else:
            marked_files.append(file)
            pair = file.removeRows(touched.newDeletionVector(), False, True)
            new.append(_with_wide_bounds(jvm, pair._1()))
            old.append(pair._2())
    removed = transaction.remove(transaction.files_of(jvm.seq(emptied)))
    updated = transaction.files_with_vectors(transaction.files_of(jvm.seq(marked_files)))
    return replace(
        removed,
        actions=removed.actions.appendedAll(jvm.seq(new)).appendedAll(jvm.seq(old)),
        vectors_added=len(marked_files) - updated,
        vectors_updated=updated,
        rows_marked=marked,
    )


def _with_wide_bounds(jvm: Jvm, file: JavaObject) -> JavaObject:
    """The file, whose minima and maxima may be those of rows that it has no more.

    Delta's own (AddFile.withoutTightBoundStats) makes a double of each decimal among them.
    """
    statistics: str = file.stats()
    wide = wide_bounds.told_in(statistics)
    if wide == statistics:
        return file
    action = json.loads(file.json())
    action["add"]["stats"] = wide
    return jvm.module(f"{DELTA}.actions.Action").fromJson(json.dumps(action))


def _by_jobs(
    transaction: Transaction, files: Files, results: JavaObject, marked: int
) -> FileChanges:
    """Delta's own way, in Spark jobs, which scales to any number of files."""
    jvm, helper = transaction.jvm, vector_helper(transaction.jvm)
    touched = _matched_files(transaction, files, results)
    collection = jvm.module(f"{DELTA}.stats.StatsCollectionUtils")
    prefix = collection.getDataSkippingStringPrefixLength(jvm.session, transaction.metadata)
    # Its tasks carry the session, and a session that has an Observation cannot be carried.
    session = jvm.session.cloneSession()
    outcome = helper.processUnmodifiedData(session, touched, transaction.snapshot, prefix)
    counts = outcome._2()
    emptied = [t.fileLogEntry() for t in jvm.items(touched) if t.isFullyReplaced()]
    whole = transaction.files_of(jvm.seq(emptied))
    return FileChanges(
        actions=outcome._1(),
        files_removed=whole.count,
        bytes_removed=whole.bytes,
        partitions_removed_from=whole.partitions,
        vectors_added=counts.apply("numDeletionVectorsAdded"),
        vectors_removed=counts.apply("numDeletionVectorsRemoved"),
        vectors_updated=counts.apply("numDeletionVectorsUpdated"),
        rows_marked=marked,
    )
