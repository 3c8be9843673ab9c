"""Rows of a table that a condition chooses: found in one scan, taken out by vectors or rewrites."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ..delta import (
    CHANGE_TYPE,
    DELTA,
    FileChanges,
    Files,
    Tracking,
    are_few,
    column_names,
    counted_where_cheaper,
    described,
    exact_filters,
    few_partitions,
    mark_deleted,
    on_padded_partitions,
    optional,
    row_position,
    with_nulls_in_new_columns,
)
from ..internal_columns import Names

if TYPE_CHECKING:
    from ..delta import JavaObject, Jvm, Transaction


@dataclass(frozen=True, slots=True)
class Selection:
    """Where the chosen rows are: all rows of the files in `whole`, some of those in `scanned`.

    `target` is the table's plan, `condition` a Catalyst expression over it.
    """

    transaction: Transaction
    target: JavaObject
    condition: JavaObject | None
    whole: Files
    scanned: Files
    names: Names

    @property
    def jvm(self) -> Jvm:
        return self.transaction.jvm

    @property
    def touches_nothing(self) -> bool:
        return self.whole.count == 0 and self.scanned.count == 0

    def is_chosen(self) -> Column:
        """Never null."""
        if self.condition is None:
            return F.lit(True)
        return F.coalesce(self.jvm.column(self.condition), F.lit(False))

    def cheapest_jobs(self) -> dict[str, str]:
        """The confs under which to mark the chosen rows, from the scan to the last job over it."""
        filters = [] if self.condition is None else [self.condition]
        positions = counted_where_cheaper(self.transaction, self.scanned, filters)
        return {**few_partitions(self.jvm), **positions} if are_few(self.scanned) else positions

    def exact_filters(self) -> dict[str, str]:
        """The confs under which to run all scans of the files, lest they miss chosen rows."""
        if self.condition is None or not self.scanned.count:
            return {}
        return exact_filters(self.transaction, self.condition)

    def columns(self) -> list[Column]:
        """The table's columns as they are."""
        return [self.jvm.column(attribute) for attribute in self.jvm.items(self.target.output())]

    def rows_of(self, files: Files) -> DataFrame:
        return self.transaction.rows_of(self.target, files)

    def chosen_in(self, files: Files) -> DataFrame:
        """The chosen rows of the files, with `names.file` and `names.row` beside their own columns.

        The condition itself filters: the scan can use it, and null chooses nothing.
        """
        rows = self.rows_of(files)
        if self.condition is not None:
            rows = rows.filter(self.jvm.column(self.condition))
        if self.transaction.has_row_index():
            rows = rows.withColumn(self.names.row, row_position(self.jvm))
        return rows.withColumn(self.names.file, F.col("_metadata.file_path"))


@dataclass(frozen=True, slots=True)
class Taken:
    """What takes the chosen rows out of their files; counts are None without statistics."""

    changes: tuple[FileChanges, ...] = ()
    rows: int | None = 0
    copied: int = 0
    change_rows: bool = False
    """Whether the deleted rows are in change files, so that all other changes must be, too."""


def select_rows(
    transaction: Transaction, target: JavaObject, condition: JavaObject | None
) -> Selection:
    """Read, and record as read, the files that may hold rows for which the condition is true.

    A condition on partition columns alone chooses whole files (DeleteCommand's case 2).
    """
    jvm = transaction.jvm
    names = Names.fresh(column_names(target.schema()))
    none = Files(jvm.seq([]), 0, 0)
    if condition is None:
        whole = transaction.read_files([])
        return Selection(transaction, target, None, whole, none, names)
    split = jvm.module(f"{DELTA}.DeltaTableUtils").splitMetadataAndDataPredicates(
        condition, transaction.metadata.partitionColumns(), jvm.session
    )
    on_partitions, on_data = jvm.items(split._1()), jvm.items(split._2())
    files = transaction.read_files([*on_partitions, *on_data])
    in_rows = on_data or on_padded_partitions(jvm, transaction.metadata, on_partitions)
    whole, scanned = (none, files) if in_rows else (files, none)
    return Selection(transaction, target, condition, whole, scanned, names)


def take_out(selection: Selection, *, by_vectors: bool) -> Taken:
    """Delete the chosen rows: whole files without a scan, the others by vector or by rewriting."""
    transaction = selection.transaction
    removed = transaction.remove(selection.whole)
    gone = transaction.logical_rows(selection.whole)
    if selection.scanned.count == 0:
        return Taken((removed,), gone)
    if by_vectors:
        marked = _marked(selection)
        return Taken((removed, marked), None if gone is None else gone + marked.rows_marked)
    rewritten = _rewritten(selection)
    return replace(
        rewritten,
        changes=(removed, *rewritten.changes),
        rows=None if gone is None or rewritten.rows is None else gone + rewritten.rows,
    )


def _marked(selection: Selection) -> FileChanges:
    names = selection.names
    rows = selection.chosen_in(selection.scanned).select(names.file, names.row)
    return mark_deleted(selection.transaction, rows, names.file, names.row, selection.scanned)


def _rewritten(selection: Selection) -> Taken:
    """New files with the rows that stay; a file of which none stays is only removed."""
    transaction = selection.transaction
    counts = rows_by_file(selection)
    touched = transaction.select(selection.scanned, counts)
    emptied = _emptied(transaction, touched, [*counts.values()])
    others = transaction.without(touched, emptied)
    rows = sum(counts.values())
    if others.count == 0:
        return Taken((transaction.remove(emptied),), rows)
    with_feed = transaction.records_changes()
    written, copied = _staying(selection, touched, others, with_feed=with_feed)
    changes = (written, transaction.remove(emptied), transaction.remove(others, rewritten=True))
    return Taken(changes, rows, copied, change_rows=with_feed)


def rows_by_file(selection: Selection) -> dict[str, int]:
    """How many rows are chosen, by the URL-encoded path of the file; only where there are some."""
    with described(selection.jvm, "finding files with chosen rows"):
        found = (
            selection.chosen_in(selection.scanned).groupBy(selection.names.file).count().collect()
        )
    return {row[0]: row[1] for row in found}


def _emptied(transaction: Transaction, touched: Files, chosen: list[int]) -> Files:
    """The files of which every row is chosen."""
    pairs = zip(transaction.jvm.items(touched.java), chosen, strict=True)
    found = [file for file, rows in pairs if optional(file.numLogicalRecords()) == rows]
    return transaction.files_of(transaction.jvm.seq(found))


def _staying(
    selection: Selection, touched: Files, others: Files, *, with_feed: bool
) -> tuple[FileChanges, int]:
    """Write the rows that stay, and the deleted ones as change rows; returns how many stay."""
    tracking = selection.transaction.tracking()
    columns = [*selection.columns(), *tracked(tracking, copied=F.lit(True))]
    if with_feed:
        # The condition stands in one place: Spark cannot rename what a subquery of it refers to.
        change = F.when(selection.is_chosen(), "delete")
        rows = selection.rows_of(touched).select(*columns, change.alias(CHANGE_TYPE))
        kept = rows.filter(F.col(CHANGE_TYPE).isNull())
    else:
        rows = kept = selection.rows_of(others).filter(~selection.is_chosen()).select(*columns)
    with described(selection.jvm, "rewriting files"):
        written = selection.transaction.write(
            with_nulls_in_new_columns(selection.transaction, rows)
        )
    count = kept.count() if written.rows_added is None else written.rows_added
    return written, count


def tracked(tracking: Tracking | None, *, copied: Column | None = None) -> list[Column]:
    """Row tracking's columns of written rows, where it is on; `copied` says which stay as is."""
    return [] if tracking is None else tracking.columns(copied=copied)
