"""The rows a merge writes: updated, inserted, copied; and what a route comes to."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ..delta import CHANGE_TYPE, described, inserted, no_change, updated, with_images
from ..spec import quoted
from .clause_columns import (
    NO_CLAUSE,
    by_source_numbers,
    first_firing,
    insert_numbers,
    matched_numbers,
    numbered,
    output_columns,
    some_fires,
)

if TYPE_CHECKING:
    from ..delta import FileChanges
    from ..internal_columns import Names
    from .attempt import Merge
    from .matches import Matches
    from .resolve import Clause, Kind, ResolvedMerge

logger = logging.getLogger(__name__)

ROWS_PER_FILE = 1_000_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one route wants committed, and its row counts under the names of Delta's metrics."""

    changes: tuple[FileChanges, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    scan_milliseconds: int = 0
    rewrite_milliseconds: int = 0


def counted(resolved: ResolvedMerge, rows: Mapping[int, int]) -> dict[str, int]:
    """Delta's metrics of updated and deleted rows, from target rows by clause."""
    values = {}
    for kind, word in (("update", "Updated"), ("delete", "Deleted")):
        matched, by_source = (
            sum(rows.get(n, 0) for n, clause in clauses.items() if clause.kind == kind)
            for clauses in (matched_numbers(resolved), by_source_numbers(resolved))
        )
        values[f"numTargetRowsMatched{word}"] = matched
        values[f"numTargetRowsNotMatchedBySource{word}"] = by_source
        values[f"numTargetRows{word}"] = matched + by_source
    return values


def changed_rows(merge: Merge, matches: Matches) -> DataFrame | None:
    """What the fired clauses write, in the final schema; None where they write nothing.

    With the change data feed on, change rows too, unless rows are only added.
    """
    with_feed = merge.records_changes and matches.fired > 0
    parts = [written_rows(merge, matches, with_feed=with_feed)]
    if with_feed:
        parts.append(_deleted_rows(merge, matches))
    some = [part for part in parts if part is not None]
    return reduce(DataFrame.unionAll, some) if some else None


def written_rows(merge: Merge, matches: Matches, *, with_feed: bool) -> DataFrame | None:
    """Updated and inserted rows; the pairs tell which clause each source row falls to."""
    resolved, names = merge.resolved, merge.names
    written = {n: c for n, c in numbered(resolved).items() if c.kind != "delete"}
    if not written:
        return None
    pairs = matches.frame.drop(names.file)
    if not resolved.not_matched:
        pairs = pairs.filter(F.col(names.clause).isin(list(written)))
    if matches.fired <= ROWS_PER_FILE and not resolved.by_source:
        pairs = F.broadcast(pairs)
    on = F.col(names.source_row) == F.col(names.matched_row)
    joined = merge.source.join(pairs, on, _join(merge)).withColumn(names.clause, _clause(merge))
    kept = joined.filter(F.col(names.clause).isin(list(written)))
    kept = sized(merge, kept, matches.fired + (merge.plan.source_rows or 0))
    after = [*_values(merge, written), *merge.tracked()]
    if with_feed:
        before = [*resolved.copied_columns(), *merge.tracked()]
        return with_images(kept, before, after, _change_types(written, names), names)
    return kept.select(*after)


def _deleted_rows(merge: Merge, matches: Matches) -> DataFrame | None:
    """The deleted target rows as change rows, each once, however many source rows matched it."""
    names = merge.names
    deletes = _of_kind(numbered(merge.resolved), "delete")
    if not deletes:
        return None
    gone = matches.frame.filter(F.col(names.clause).isin(deletes))
    if merge.resolved.is_one_unconditional_delete:
        gone = gone.dropDuplicates([names.file, names.row])
    change = F.lit("delete").alias(CHANGE_TYPE)
    return gone.select(*merge.resolved.copied_columns(), *merge.tracked(), change)


def _change_types(written: Mapping[int, Clause], names: Names) -> Column:
    updates = _of_kind(written, "update")
    if not updates:
        return inserted()
    return F.when(F.col(names.clause).isin(updates), updated()).otherwise(inserted())


def _of_kind(clauses: Mapping[int, Clause], kind: Kind) -> list[int]:
    return [number for number, clause in clauses.items() if clause.kind == kind]


def _values(merge: Merge, clauses: Mapping[int, Clause]) -> list[Column]:
    names = merge.resolved.column_names()
    return output_columns(merge.resolved.jvm, clauses, F.col(merge.names.clause), names)


def _join(merge: Merge) -> str:
    by_source_updates = any(clause.kind == "update" for clause in merge.resolved.by_source)
    if merge.resolved.not_matched:
        return "full" if by_source_updates else "left"
    return "right" if by_source_updates else "inner"


def _clause(merge: Merge) -> Column:
    """The clause of a pair, or the insert clause of a source row that met no target row."""
    names, jvm = merge.names, merge.resolved.jvm
    insert = first_firing(jvm, insert_numbers(merge.resolved))
    return F.when(F.col(names.row).isNotNull(), F.col(names.clause)).otherwise(insert)


def inserted_rows(merge: Merge, unmatched: DataFrame) -> DataFrame:
    """These source rows through the WHEN NOT MATCHED clauses."""
    names = merge.names
    clauses = insert_numbers(merge.resolved)
    chosen = unmatched.withColumn(names.clause, first_firing(merge.resolved.jvm, clauses))
    kept = chosen.filter(F.col(names.clause) != NO_CLAUSE)
    return sized(merge, kept, merge.plan.source_rows or 0).select(*_values(merge, clauses))


def copied_rows(merge: Merge, touched: DataFrame) -> DataFrame:
    """Of the touched files' rows those that no clause fires for, in the final schema.

    The source is on the build side, so the rows are streamed without a shuffle and stay in order.
    """
    resolved = merge.resolved
    fires = some_fires(resolved.jvm, matched_numbers(resolved))
    source = merge.matching_source()
    kept = touched
    if resolved.matched:
        kept = touched.join(source, resolved.condition & fires, "left_anti")
    if resolved.by_source:
        gone = some_fires(resolved.jvm, by_source_numbers(resolved))
        safe = kept.filter(gone).join(source, resolved.condition, "left_semi")
        kept = kept.filter(~gone).unionAll(safe)
    change = [no_change()] if merge.records_changes else []
    return kept.select(*resolved.copied_columns(), *merge.tracked(copied=True), *change)


def write(merge: Merge, frame: DataFrame) -> tuple[FileChanges, int]:
    """Write the rows; returns the new files and how many of the table's rows they hold."""
    partitions = merge.transaction.partition_columns()
    if partitions and merge.transaction.repartitions_before_write():
        frame = frame.repartition(*(F.col(quoted(name)) for name in partitions))
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("output plan:\n%s", frame._jdf.queryExecution().toString())
    with described(merge.resolved.jvm, "MERGE: writing data files"):
        written = merge.transaction.write(frame)
    if written.rows_added is not None:
        return written, written.rows_added
    if CHANGE_TYPE in frame.columns and merge.records_changes:
        frame = frame.filter(F.col(CHANGE_TYPE).isNull())
    return written, frame.count()


def sized(merge: Merge, frame: DataFrame, rows: int) -> DataFrame:
    """In as few files as the rows need: one small file reads faster than many.

    Identity values are generated for each partition by itself, so there a shuffle has to do it:
    partitions that are only run together would each leave a gap in the numbers.
    """
    files = max(1, -(-rows // ROWS_PER_FILE))
    if merge.resolved.fills_identity_columns:
        return frame.repartition(files)
    return frame.coalesce(files)
