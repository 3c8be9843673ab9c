"""What a merge would do, counted without doing it: for `explain`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ..plan import Prediction
from .insert_only import unmatched_rows
from .matches import found_matches, touched_rows
from .rows import counted, inserted_rows

if TYPE_CHECKING:
    from .attempt import Merge
    from .matches import Matches


def predicted(merge: Merge) -> Prediction:
    """Rows by what would become of them, and the files they are in; runs the join, writes nothing.

    Raises DuplicateMatchError where the merge would.
    """
    match merge.plan.route:
        case "no_op" | "native":
            return Prediction()
        case "insert_only":
            return Prediction(inserted=inserted_rows(merge, unmatched_rows(merge)).count())
        case "deletion_vectors" | "classic":
            with found_matches(merge) as matches:
                return _by_matches(merge, matches)


def _by_matches(merge: Merge, matches: Matches) -> Prediction:
    assert merge.plan.files is not None
    touched = touched_rows(merge, matches)
    counts = counted(merge.resolved, touched.rows)
    files = merge.transaction.select(merge.plan.files, touched.paths)
    held = merge.transaction.logical_rows(files)
    rewritten = held if merge.plan.route == "classic" else None
    return Prediction(
        updated=counts["numTargetRowsUpdated"],
        deleted=counts["numTargetRowsDeleted"],
        inserted=_inserted(merge, matches),
        copied=0 if rewritten is None else rewritten - sum(touched.rows.values()),
        files=files.count,
    )


def _inserted(merge: Merge, matches: Matches) -> int:
    if not merge.resolved.not_matched:
        return 0
    names = merge.names
    matched = matches.frame.select(names.matched_row)
    on = F.col(names.source_row) == F.col(names.matched_row)
    return inserted_rows(merge, merge.source.join(matched, on, "left_anti")).count()
