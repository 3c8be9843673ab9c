"""One attempt at a merge: what was resolved, evaluated and planned for it, in its transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ..delta import counted_where_cheaper, exact_filters, few_partitions
from .planning import plan_merge

if TYPE_CHECKING:
    from ..delta import Files, JavaObject, Tracking, Transaction
    from ..internal_columns import Names
    from ..plan import MergePlan
    from .resolve import ResolvedMerge
    from .source import Source


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

    def cheapest_jobs(self) -> dict[str, str]:
        """The confs under which to run the merge, from its first scan of the target to its last."""
        small = few_partitions(self.resolved.jvm) if self.plan.is_small else {}
        return {**small, **self._cheapest_positions(), **self.exact_filters()}

    def exact_filters(self) -> dict[str, str]:
        """Those of them without which rows would be missed."""
        files, in_place = self.plan.files, self.plan.source_in_place
        if not in_place and (files is None or not files.count):
            return {}
        read = self.resolved.jvm.all_of(self._scan_filters())
        return exact_filters(self.transaction, read, self.source, in_place=in_place)

    def _scan_filters(self) -> list[JavaObject]:
        """The conditions that scans may be filtered by.

        Those of WHEN MATCHED and WHEN NOT MATCHED filter the source alone, where it is scanned.
        """
        resolved = self.resolved
        others = (*resolved.matched, *resolved.not_matched) if self.plan.source_in_place else ()
        found = [each.condition for each in (*resolved.by_source, *others)]
        asked = [each for each in found if each is not None]
        return [resolved.command.condition(), *asked, *self.plan.pruning.row_filters]

    def _cheapest_positions(self) -> dict[str, str]:
        """A source read in place is scanned under them, too: there is no cheaper way then."""
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


def planned(resolved: ResolvedMerge, transaction: Transaction, source: Source) -> Merge:
    """The merge with its files chosen, and recorded as read, in the transaction's snapshot."""
    facts = source.facts_for(resolved, transaction.table_size())
    return Merge(
        resolved,
        transaction,
        plan_merge(resolved, transaction, facts),
        source.names,
        source.bound(resolved),
        records_changes=transaction.records_changes(),
        tracking=transaction.tracking(),
    )
