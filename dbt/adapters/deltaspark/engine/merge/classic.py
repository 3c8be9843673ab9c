"""The route that rewrites touched files: their other rows are copied beside the changed ones."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ..delta import with_nulls_in_new_columns
from ..metrics import since
from .matches import found_matches, may_insert, touched_rows
from .rows import Outcome, changed_rows, copied_rows, counted, write

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..delta import Files
    from .attempt import Merge
    from .matches import Matches, Touched


def run(merge: Merge) -> Outcome:
    """New files for the rows of touched files that stay, are updated or come new."""
    started = time.monotonic()
    with found_matches(merge) as matches:
        scan = since(started)
        return replace(rewritten(merge, matches), scan_milliseconds=scan)


def rewritten(merge: Merge, matches: Matches) -> Outcome:
    """The same for pairs that were found."""
    assert merge.plan.files is not None
    if not matches.fired and matches.once_each and not may_insert(merge, matches):
        return Outcome((), counted(merge.resolved, {}))
    touched = touched_rows(merge, matches)
    files = merge.transaction.select(merge.plan.files, touched.paths)
    counts = counted(merge.resolved, touched.rows)
    changed = changed_rows(merge, matches)
    if not files.count:
        return _inserts(merge, changed, counts)
    copied = copied_rows(merge, merge.rows_of(files))
    rows = copied if changed is None else copied.unionAll(changed)
    written, count = write(merge, with_nulls_in_new_columns(merge.transaction, rows))
    counts["numTargetRowsCopied"] = _copied(merge, touched, files, copied)
    inserted = count - counts["numTargetRowsCopied"] - counts["numTargetRowsUpdated"]
    removed = merge.transaction.remove(files, rewritten=True)
    return Outcome((written, removed), {**counts, "numTargetRowsInserted": inserted})


def _inserts(merge: Merge, changed: DataFrame | None, counts: dict[str, int]) -> Outcome:
    if changed is None:
        return Outcome((), counts)
    written, count = write(merge, changed)
    return Outcome((written,), {**counts, "numTargetRowsInserted": count})


def _copied(merge: Merge, touched: Touched, files: Files, copied: DataFrame) -> int:
    held = merge.transaction.logical_rows(files)
    return copied.count() if held is None else held - sum(touched.rows.values())
