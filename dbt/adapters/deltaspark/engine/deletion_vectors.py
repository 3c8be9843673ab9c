"""The route that marks touched rows in deletion vectors and writes only new versions of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .matches import Matches, Merge, refuse_duplicates, touched_rows
from .output import NO_CLAUSE, by_source_numbers
from .rows import Outcome, changed_rows, counted, write
from .vectors import mark_deleted

if TYPE_CHECKING:
    from .files import FileChanges


def run(merge: Merge, matches: Matches) -> Outcome:
    """Vectors for the touched rows, data files for the updated and inserted ones."""
    rows, marked = _marked(merge, matches)
    counts = counted(merge.resolved, rows)
    updated = counts["numTargetRowsUpdated"]
    writes = updated or merge.resolved.not_matched or merge.records_changes
    changed = changed_rows(merge, matches) if writes else None
    if changed is None:
        return Outcome(marked, counts)
    written, count = write(merge, changed)
    return Outcome((written, *marked), {**counts, "numTargetRowsInserted": count - updated})


def _marked(merge: Merge, matches: Matches) -> tuple[Mapping[int, int], tuple[FileChanges, ...]]:
    """Target rows by clause, and their vectors.

    Where a clause fires for every pair, the vectors show by themselves whether a target row was
    in several pairs; otherwise it is looked up first.
    """
    if matches.idle:
        rows = touched_rows(merge, matches).rows
        return rows, (_vectors(merge, matches),) if rows else ()
    if not matches.fired:
        return {}, ()
    vectors = _vectors(merge, matches)
    if vectors.rows_marked == matches.fired:
        return matches.pairs, (vectors,)
    refuse_duplicates(merge, matches)
    by_source = {n: matches.pairs[n] for n in by_source_numbers(merge.resolved)}
    return {**by_source, 0: vectors.rows_marked - sum(by_source.values())}, (vectors,)


def _vectors(merge: Merge, matches: Matches) -> FileChanges:
    assert merge.plan.files is not None
    names = merge.names
    touched = matches.frame.filter(F.col(names.clause) != NO_CLAUSE)
    rows = touched.select(names.file, names.row)
    return mark_deleted(merge.transaction, rows, names.file, names.row, merge.plan.files)
