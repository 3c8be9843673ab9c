"""The route that marks touched rows in deletion vectors and writes only new versions of rows."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ..delta import FileChanges, at_once, mark_deleted, mark_places
from ..metrics import since
from .clause_columns import NO_CLAUSE, by_source_numbers
from .matches import Matches, found_matches, may_insert, refuse_duplicates, touched_rows
from .rows import Outcome, changed_rows, counted, write
from .upsert import repeated_rows, source_rows, writes_source_rows

if TYPE_CHECKING:
    from .attempt import Merge

Written = tuple[FileChanges, int]
"""New files, and how many rows they hold."""


def run(merge: Merge) -> Outcome:
    """Vectors for the touched rows, data files for the updated and inserted ones.

    They are made side by side; the new files already beside the scan, where the source's own rows
    are what is written.
    """
    started = time.monotonic()
    with ExitStack() as stack:
        matches, new = _found(merge, stack)
        scan = since(started)
        outcome = _changed(merge, matches) if new is None else _upserted(merge, matches, new)
        return replace(outcome, scan_milliseconds=scan)


def _found(merge: Merge, stack: ExitStack) -> tuple[Matches, Written | None]:
    def find() -> Matches:
        return stack.enter_context(found_matches(merge))

    if not writes_source_rows(merge):
        return find(), None
    return at_once(merge.transaction, find, lambda: write(merge, source_rows(merge)))


def _upserted(merge: Merge, matches: Matches, new: Written) -> Outcome:
    if not matches.fired:
        return _written((new,), (), counted(merge.resolved, {}))
    if matches.few is None:
        vectors, again = at_once(
            merge.transaction,
            lambda: marked_rows(merge, matches),
            lambda: repeated_rows(merge, matches),
        )
    else:
        vectors, again = marked_rows(merge, matches), repeated_rows(merge, matches)
    if vectors.rows_marked != matches.fired:
        refuse_duplicates(merge, matches)
    files = (new,) if again is None else (new, write(merge, again))
    return _written(files, (vectors,), counted(merge.resolved, matches.pairs))


def _changed(merge: Merge, matches: Matches) -> Outcome:
    """Where a clause fires for every pair, the vectors show by themselves whether a target row was
    in several pairs; otherwise it is looked up first, unless the counts show it.
    """
    rows = matches.pairs
    if matches.idle and not matches.once_each:
        rows = touched_rows(merge, matches).rows
    if not matches.fired:
        new = _new_files(merge, matches) if may_insert(merge, matches) else ()
        return _written(new, (), counted(merge.resolved, {}))
    vectors, new = at_once(
        merge.transaction,
        lambda: marked_rows(merge, matches),
        lambda: _new_files(merge, matches),
    )
    if not matches.idle and vectors.rows_marked != matches.fired:
        refuse_duplicates(merge, matches)
        rows = _deleted_once(merge, matches, vectors)
    return _written(new, (vectors,), counted(merge.resolved, rows))


def _written(
    new: Sequence[Written], vectors: tuple[FileChanges, ...], counts: dict[str, int]
) -> Outcome:
    if not new:
        return Outcome(vectors, counts)
    inserted = sum(rows for _, rows in new) - counts["numTargetRowsUpdated"]
    files = (files for files, _ in new)
    return Outcome((*files, *vectors), {**counts, "numTargetRowsInserted": inserted})


def _new_files(merge: Merge, matches: Matches) -> tuple[Written, ...]:
    changed = changed_rows(merge, matches)
    return () if changed is None else (write(merge, changed),)


def _deleted_once(merge: Merge, matches: Matches, vectors: FileChanges) -> Mapping[int, int]:
    """Target rows by clause, where several source rows delete one target row."""
    by_source = {n: matches.pairs[n] for n in by_source_numbers(merge.resolved)}
    return {**by_source, 0: vectors.rows_marked - sum(by_source.values())}


def marked_rows(merge: Merge, matches: Matches) -> FileChanges:
    assert merge.plan.files is not None
    names = merge.names
    if matches.few is not None:
        return mark_places(merge.transaction, matches.few, merge.plan.files)
    fired = matches.frame.filter(F.col(names.clause) != NO_CLAUSE).select(names.file, names.row)
    files, count = merge.plan.files, matches.fired
    return mark_deleted(merge.transaction, fired, names.file, names.row, files, count)
