"""The route that marks touched rows in deletion vectors and writes only new versions of rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .execution import at_once
from .matches import Matches, Merge, refuse_duplicates, touched_rows
from .output import NO_CLAUSE, by_source_numbers
from .rows import Outcome, changed_rows, counted, write
from .vectors import mark_deleted

if TYPE_CHECKING:
    from .files import FileChanges


def run(merge: Merge, matches: Matches) -> Outcome:
    """Vectors for the touched rows, data files for the updated and inserted ones, side by side.

    Where a clause fires for every pair, the vectors show by themselves whether a target row was
    in several pairs; otherwise it is looked up first.
    """
    rows = touched_rows(merge, matches).rows if matches.idle else matches.pairs
    if not matches.fired:
        new = _new_files(merge, matches) if merge.resolved.not_matched else None
        return _written(new, (), counted(merge.resolved, {}))
    vectors, new = at_once(
        merge.resolved.jvm, lambda: _vectors(merge, matches), lambda: _new_files(merge, matches)
    )
    if not matches.idle and vectors.rows_marked != matches.fired:
        refuse_duplicates(merge, matches)
        rows = _deleted_once(merge, matches, vectors)
    return _written(new, (vectors,), counted(merge.resolved, rows))


def _written(
    new: tuple[FileChanges, int] | None, vectors: tuple[FileChanges, ...], counts: dict[str, int]
) -> Outcome:
    if new is None:
        return Outcome(vectors, counts)
    files, rows = new
    inserted = rows - counts["numTargetRowsUpdated"]
    return Outcome((files, *vectors), {**counts, "numTargetRowsInserted": inserted})


def _new_files(merge: Merge, matches: Matches) -> tuple[FileChanges, int] | None:
    changed = changed_rows(merge, matches)
    return None if changed is None else write(merge, changed)


def _deleted_once(merge: Merge, matches: Matches, vectors: FileChanges) -> Mapping[int, int]:
    """Target rows by clause, where several source rows delete one target row."""
    by_source = {n: matches.pairs[n] for n in by_source_numbers(merge.resolved)}
    return {**by_source, 0: vectors.rows_marked - sum(by_source.values())}


def _vectors(merge: Merge, matches: Matches) -> FileChanges:
    assert merge.plan.files is not None
    names = merge.names
    touched = matches.frame.filter(F.col(names.clause) != NO_CLAUSE)
    rows = touched.select(names.file, names.row)
    return mark_deleted(merge.transaction, rows, names.file, names.row, merge.plan.files)
