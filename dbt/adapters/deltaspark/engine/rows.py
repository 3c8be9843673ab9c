"""The rows a merge writes: updated, inserted, copied; and what a route comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from .output import (
    NO_CLAUSE,
    by_source_numbers,
    first_firing,
    insert_numbers,
    matched_numbers,
    numbered,
    output_columns,
    some_fires,
)
from .spec import quoted

if TYPE_CHECKING:
    from .log import FileChanges
    from .matches import Matches, Merge
    from .resolve import ResolvedMerge

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
    """Updated and inserted rows in the final schema; None where no clause writes a row."""
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
    columns = merge.transaction.column_names()
    rows = kept.select(*output_columns(resolved.jvm, written, F.col(names.clause), columns))
    return _sized(merge, rows, matches.fired + (merge.plan.source_rows or 0))


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
    names, resolved = merge.names, merge.resolved
    clauses = insert_numbers(resolved)
    chosen = unmatched.withColumn(names.clause, first_firing(resolved.jvm, clauses))
    kept = chosen.filter(F.col(names.clause) != NO_CLAUSE)
    columns = merge.transaction.column_names()
    rows = kept.select(*output_columns(resolved.jvm, clauses, F.col(names.clause), columns))
    return _sized(merge, rows, merge.plan.source_rows or 0)


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
    return kept.select(*resolved.copied_columns())


def write(merge: Merge, frame: DataFrame) -> tuple[FileChanges, int]:
    """Write the rows; returns the new files and how many rows they hold."""
    partitions = merge.transaction.partition_columns()
    key = "spark.databricks.delta.merge.repartitionBeforeWrite.enabled"
    if partitions and merge.resolved.jvm.conf(key) == "true":
        frame = frame.repartition(*(F.col(quoted(name)) for name in partitions))
    written = merge.transaction.write(frame)
    return written, frame.count() if written.rows_added is None else written.rows_added


def _sized(merge: Merge, frame: DataFrame, rows: int) -> DataFrame:
    """In as few files as the rows need: one small file reads faster than many.

    A generator of identity values serves one partition, so its partitions cannot be run together.
    """
    files = max(1, -(-rows // ROWS_PER_FILE))
    if merge.resolved.fills_identity_columns:
        return frame.repartition(files)
    return frame.coalesce(files)
