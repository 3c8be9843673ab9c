"""One join of source and target: which target rows the merge touches, and by which clause."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F

from ..delta import counted_where_cheaper, described, kept, row_position
from ..errors import DuplicateKey, DuplicateMatchError
from .clause_columns import NO_CLAUSE, by_source_numbers, first_firing, matched_numbers
from .planning import plan_merge

if TYPE_CHECKING:
    from ..delta import Files, JavaObject, Tracking, Transaction
    from ..internal_columns import Names
    from ..plan import MergePlan
    from .resolve import ResolvedMerge
    from .source import Source

logger = logging.getLogger(__name__)

SHOWN_DUPLICATES = 5


@dataclass(frozen=True, slots=True)
class Merge:
    """One attempt at a merge: what was resolved, planned and evaluated for it."""

    resolved: ResolvedMerge
    transaction: Transaction
    plan: MergePlan
    names: Names
    source: DataFrame
    records_changes: bool = False
    tracking: Tracking | None = None
    """The change data feed is on; the columns that row tracking keeps, where that is."""

    def tracked(self, *, copied: bool = False) -> list[Column]:
        """Row tracking's columns of a written row: its id, and its version if it is only copied.

        The id is that of the target row, null for an inserted one, which then gets a new one.
        """
        if self.tracking is None:
            return []
        return self.tracking.columns(copied=F.lit(True) if copied else None)

    def cheapest_positions(self) -> dict[str, str]:
        """The confs under which to run the merge, from its first scan of the target to its last.

        A source that is read in place is scanned under them, too, so there is no cheaper way then.
        """
        plan = self.plan
        if plan.files is None or plan.inserts_only or plan.source_in_place:
            return {}
        return counted_where_cheaper(self.transaction, plan.files, plan.pruning.row_filters)

    def target(self) -> DataFrame:
        """The planned files' rows that can match by their keys, with `_metadata` at hand."""
        assert self.plan.files is not None
        frame = self.rows_of(self.plan.files)
        for predicate in self.plan.pruning.row_filters:
            frame = frame.filter(self.resolved.jvm.column(predicate))
        return frame

    def rows_of(self, files: Files) -> DataFrame:
        """All rows of the files, with what row tracking knows of them."""
        return self.transaction.rows_of(self.resolved.command.target(), files)

    def source_columns(self, expressions: list[JavaObject]) -> DataFrame:
        """The source's rows with their id and only the columns that the expressions read.

        Broadcast where the plan says so, to be joined with a scan that then needs no shuffle.
        """
        columns = self.resolved.read_by(expressions, self.resolved.source_columns)
        narrow = self.source.select(*columns, F.col(self.names.source_row))
        return F.broadcast(narrow) if self.plan.broadcast else narrow

    def matching_source(self) -> DataFrame:
        """What of the source decides whether a target row is touched, and by which clause."""
        conditions = [c.condition for c in self.resolved.matched if c.condition is not None]
        return self.source_columns([self.resolved.command.condition(), *conditions])


def planned(
    resolved: ResolvedMerge, transaction: Transaction, names: Names, source: Source
) -> Merge:
    """The merge with its files chosen, and recorded as read, in the transaction's snapshot."""
    facts = source.facts_for(resolved, transaction.table_size())
    return Merge(
        resolved,
        transaction,
        plan_merge(resolved, transaction, facts),
        names,
        source.bound(resolved),
        records_changes=transaction.records_changes(),
        tracking=transaction.tracking(),
    )


@dataclass(frozen=True, slots=True)
class Matches:
    """Pairs of target row and source row.

    `frame` has the columns of `Names` but `source_row`, and the target columns that updates read.
    A pair that no clause fires for has the clause -1; `pairs` counts them by clause.
    """

    frame: DataFrame
    pairs: Mapping[int, int]

    @property
    def fired(self) -> int:
        """Pairs that some clause fires for."""
        return sum(count for clause, count in self.pairs.items() if clause != NO_CLAUSE)

    @property
    def idle(self) -> int:
        return self.pairs[NO_CLAUSE]


@dataclass(frozen=True, slots=True)
class Touched:
    """Target rows by the clause that fires for them, and the files that they are in."""

    rows: Mapping[int, int]
    paths: tuple[str, ...]


@contextmanager
def found_matches(merge: Merge) -> Iterator[Matches]:
    """Join once, and keep the pairs until the end."""
    logger.debug("finding touched rows by a %s join", _how(merge.resolved))
    clauses = [NO_CLAUSE, *matched_numbers(merge.resolved), *by_source_numbers(merge.resolved)]
    counted = [F.count_if(F.col(merge.names.clause) == n).alias(str(n)) for n in clauses]
    with described(merge.resolved.jvm, "MERGE: scanning files for matches"):
        frame, numbers = kept(_pairs(merge), *counted)
    try:
        found = {n: numbers[str(n)] for n in clauses}
        logger.debug("pairs by clause: %s", found)
        yield Matches(frame, found)
    finally:
        merge.resolved.jvm.release(frame)


def touched_rows(merge: Merge, matches: Matches) -> Touched:
    """Which target rows the pairs touch.

    Raises DuplicateMatchError where several source rows match one target row, as Delta does:
    also where no clause fires, but not for a lone unconditional DELETE.
    """
    summary = _summary(matches.frame, merge.names)
    if any(row["extra"] for row in summary):
        refuse_duplicates(merge, matches)
    rows: dict[int, int] = {}
    for row in summary:
        if row["clause"] != NO_CLAUSE:
            rows[row["clause"]] = rows.get(row["clause"], 0) + row["rows"]
    paths = {row["path"] for row in summary if row["clause"] != NO_CLAUSE}
    logger.debug("touched rows by clause: %s, in files: %s", rows, sorted(paths))
    return Touched(rows, tuple(sorted(paths)))


def refuse_duplicates(merge: Merge, matches: Matches) -> None:
    if not merge.resolved.is_one_unconditional_delete:
        raise DuplicateMatchError(merge.resolved.table_name, _duplicates(merge, matches.frame))


def _pairs(merge: Merge) -> DataFrame:
    resolved, names = merge.resolved, merge.names
    target = merge.target().withColumn(names.row, _position(merge.transaction))
    target = target.withColumn(names.file, F.col("_metadata.file_path"))
    joined = target.join(merge.matching_source(), resolved.condition, _how(resolved))
    kept = joined.select(
        names.file,
        names.row,
        F.col(names.source_row).alias(names.matched_row),
        _clause(merge).alias(names.clause),
        *_kept_columns(merge),
    )
    if not resolved.by_source:
        return kept
    return kept.filter(F.col(names.matched_row).isNotNull() | (F.col(names.clause) != NO_CLAUSE))


def _how(resolved: ResolvedMerge) -> str:
    return "left" if resolved.by_source else "inner"


def _position(transaction: Transaction) -> Column:
    """What tells the rows of a file apart: their position, where the protocol has it."""
    if transaction.has_row_index():
        return row_position(transaction.jvm)
    return F.monotonically_increasing_id()


def _clause(merge: Merge) -> Column:
    resolved = merge.resolved
    matched = first_firing(resolved.jvm, matched_numbers(resolved))
    if not resolved.by_source:
        return matched
    by_source = first_firing(resolved.jvm, by_source_numbers(resolved))
    return F.when(F.col(merge.names.source_row).isNotNull(), matched).otherwise(by_source)


def _kept_columns(merge: Merge) -> list[Column]:
    """What later steps need of a target row: what updates read; for change rows, everything."""
    resolved = merge.resolved
    if merge.records_changes:
        columns = [resolved.jvm.column(attribute) for attribute in resolved.target_columns]
    else:
        clauses = (*resolved.matched, *resolved.by_source)
        values = [value for clause in clauses for value in clause.values]
        columns = resolved.read_by(values, resolved.target_columns)
    return columns if merge.tracking is None else [*columns, F.col(merge.tracking.row_id.name)]


def _summary(frame: DataFrame, names: Names) -> list[Row]:
    """For each file and clause: its target rows, and by how many the pairs exceed them."""
    by_row = frame.groupBy(names.file, names.row).agg(
        F.count(F.lit(1)).alias("pairs"), F.max(names.clause).alias("clause")
    )
    by_file = by_row.groupBy(F.col(names.file).alias("path"), "clause").agg(
        F.count(F.lit(1)).alias("rows"), F.sum(F.col("pairs") - 1).alias("extra")
    )
    return by_file.collect()


def _duplicates(merge: Merge, frame: DataFrame) -> list[DuplicateKey]:
    """The source keys that met one target row more than once, the most frequent first."""
    names, resolved = merge.names, merge.resolved
    several = frame.groupBy(names.file, names.row).agg(
        F.count(F.lit(1)).alias("pairs"), F.first(names.matched_row).alias(names.matched_row)
    )
    rows = merge.source.join(
        several.filter("pairs > 1"), F.col(names.matched_row) == F.col(names.source_row)
    )
    keys = [(key.label, resolved.jvm.column(key.source)) for key in resolved.keys]
    shown = [
        F.concat(F.lit(f"{name} = "), F.coalesce(column.cast("string"), F.lit("NULL")))
        for name, column in keys
    ]
    label = F.concat_ws(", ", *shown) if shown else F.lit("a source row")
    found = rows.groupBy(label.alias("key")).agg(F.max("pairs").alias("count"))
    ordered = found.orderBy(F.desc("count"), "key").limit(SHOWN_DUPLICATES)
    return [DuplicateKey(row["key"], row["count"]) for row in ordered.collect()]
