"""The route that marks touched rows in deletion vectors and writes only new versions of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .output import NO_CLAUSE
from .rows import Outcome, changed_rows, write

if TYPE_CHECKING:
    from .log import FileChanges
    from .matches import Matches, Merge


def run(merge: Merge, matches: Matches) -> Outcome:
    """Vectors for the touched rows, data files for the updated and inserted ones."""
    counts = matches.counts(merge.resolved)
    changes = (mark_touched(merge, matches),) if matches.paths else ()
    updated = counts["numTargetRowsUpdated"]
    rows = changed_rows(merge, matches) if updated or merge.resolved.not_matched else None
    if rows is None:
        return Outcome(changes, counts)
    written, count = write(merge, rows)
    return Outcome((written, *changes), {**counts, "numTargetRowsInserted": count - updated})


def mark_touched(merge: Merge, matches: Matches) -> FileChanges:
    """The rows that some clause fires for, as deleted; files left without a row are removed."""
    assert merge.plan.files is not None
    names, transaction = merge.names, merge.transaction
    files = transaction.select(merge.plan.files, matches.paths)
    touched = matches.frame.filter(F.col(names.clause) != NO_CLAUSE)
    return transaction.mark_deleted(
        touched.select(names.file, names.row), names.file, names.row, files
    )
