"""The route that only adds rows: source rows that match nothing, in one write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .rows import Outcome, inserted_rows, write

if TYPE_CHECKING:
    from .attempt import Merge


def run(merge: Merge) -> Outcome:
    """Duplicate source rows are all inserted, as Delta does."""
    rows = inserted_rows(merge, unmatched_rows(merge))
    written, count = write(merge, rows)
    return Outcome((written,), {"numTargetRowsInserted": count})


def unmatched_rows(merge: Merge) -> DataFrame:
    """The source rows that match no target row.

    A broadcast source is joined to the scan and its matched rows then taken out by their id: an
    anti join would have to build on the target.
    """
    plan, names = merge.plan, merge.names
    if plan.files is None or plan.files.count == 0:
        return merge.source
    target, condition = merge.target(), merge.resolved.condition
    if not plan.broadcast:
        return merge.source.join(target, condition, "left_anti")
    matched = target.join(merge.source_columns([merge.resolved.command.condition()]), condition)
    ids = matched.select(F.col(names.source_row).alias(names.matched_row)).distinct()
    on = F.col(names.source_row) == F.col(names.matched_row)
    return merge.source.join(F.broadcast(ids), on, "left_anti")
