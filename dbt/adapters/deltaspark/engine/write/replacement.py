"""What gives way to the rows of a write: nothing, everything, partitions, or chosen rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ..change import ChangeRequest, Selection, Taken, resolve_change, select_rows, take_out
from ..delta import FileChanges, Files, confs, optional, refuse_changes_since_analysis
from ..merge import Merge, MergeFrame, ResolvedMerge, Source, evaluated, planned, resolve
from ..plan import ChangePlan
from ..spec import Delete, MergeSpec, WriteSpec, quoted
from .matching_columns import refuse_unknown_columns
from .removal_by_merge import take_out_matches

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..delta import JavaObject, Jvm, Transaction
    from ..plan import Route


NO_SUBQUERIES = {"spark.databricks.delta.delete.allowExistsSubquery": "false"}
"""Delta's writer refuses a predicate with one also where a DELETE may have it."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """An append."""


@dataclass(frozen=True, slots=True)
class Everything:
    """Every file of the table."""

    files: Files


@dataclass(frozen=True, slots=True)
class Partitions:
    """The files of each partition that a new row falls into, known once the rows are written."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The rows that a predicate is true for."""

    selection: Selection


@dataclass(frozen=True, slots=True)
class Matching:
    """The rows that match a new row."""

    merge: Merge


Replacement: TypeAlias = Nothing | Everything | Partitions | Chosen | Matching


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The new rows, evaluated, and the merge that finds the target rows they match."""

    resolved: ResolvedMerge
    source: Source

    @property
    def rows(self) -> DataFrame:
        return self.source.rows

    def resolved_anew(self, table: str, spec: WriteSpec) -> Evaluated:
        """The same rows for the table as it is now."""
        resolved = resolve(_deleting_matches(self.rows, table, spec), self.resolved.jvm)
        return replace(self, resolved=resolved)


@contextmanager
def evaluated_once(
    jvm: Jvm, source: DataFrame, table: str, spec: WriteSpec
) -> Iterator[Evaluated | None]:
    """The rows, where they are read twice (to find matches, and to be written), for all attempts.

    None where they are read once, and where they are computed from the table that they go to: such
    rows are right in one snapshot of it alone (see `evaluated_in`).
    """
    if not spec.replaces_matches:
        yield None
        return
    refuse_unknown_columns(jvm, source, table, spec)
    resolved = resolve(_deleting_matches(source, table, spec), jvm)
    if resolved.source_reads_target():
        yield None
        return
    with _evaluated(resolved) as rows:
        yield rows


@contextmanager
def evaluated_in(
    transaction: Transaction, source: DataFrame, table: str, spec: WriteSpec
) -> Iterator[Evaluated | None]:
    """The rows of `evaluated_once`, computed from the transaction's snapshot, and recorded so."""
    if not spec.replaces_matches:
        yield None
        return
    with _evaluated(resolve(_deleting_matches(source, table, spec), transaction.jvm)) as rows:
        yield rows


@contextmanager
def _evaluated(resolved: ResolvedMerge) -> Iterator[Evaluated]:
    with evaluated(resolved) as rows:
        yield Evaluated(resolved, rows)


def _deleting_matches(source: DataFrame, table: str, spec: WriteSpec) -> MergeFrame:
    """`replace_using` compares with `=`, as Delta does: null matches nothing."""
    new, old, on = spec.source_alias, spec.target_alias, spec.replace_on
    if on is None:
        new, old = "__source__", "__target__"
        pairs = (f"{old}.{quoted(name)} = {new}.{quoted(name)}" for name in spec.replace_using)
        on = " AND ".join(pairs)
    merge = MergeSpec(on=on, matched=(Delete(),), source_alias=new, target_alias=old)
    return MergeFrame(table, source, merge)


def replacement_of(
    transaction: Transaction, table: str, spec: WriteSpec, matching: Evaluated | None
) -> Replacement:
    """What gives way in this snapshot, recorded as read."""
    if spec.mode == "append":
        return Nothing()
    if matching is not None:
        refuse_changes_since_analysis(transaction, matching.resolved.index)
        return Matching(planned(matching.resolved, transaction, matching.source))
    if spec.replace_where is not None:
        request = ChangeRequest(transaction.jvm.spark, table, spec.replace_where)
        with confs(transaction.jvm, NO_SUBQUERIES):
            resolved = resolve_change(request, transaction.jvm)
        refuse_changes_since_analysis(transaction, resolved.index)
        target, condition = resolved.command.target(), resolved.condition
        return Chosen(select_rows(transaction, target, condition))
    if spec.dynamic_partitions and transaction.partition_columns():
        return Partitions()
    return Everything(transaction.read_files([]))


def plan_write(transaction: Transaction, replacement: Replacement, name: str) -> ChangePlan:
    """Which way the write goes, and which of the table's files it touches."""
    route, reason = _route(transaction, replacement)
    replaced, scanned, rule = _files(transaction, replacement)
    whole = transaction.table_size()
    return ChangePlan("WRITE", route, reason, name, whole, replaced, scanned, rule)


def _route(transaction: Transaction, replacement: Replacement) -> tuple[Route, str]:
    match replacement:
        case Nothing():
            return "insert_only", "nothing gives way to the new rows"
        case Everything() | Partitions():
            return "classic", "whole files give way to the new rows"
        case Chosen(selection):
            return _route_of_chosen(transaction, selection)
        case Matching(merge) if merge.plan.route == "no_op":
            return "insert_only", merge.plan.reason
        case Matching(merge):
            return merge.plan.route, merge.plan.reason


def _route_of_chosen(transaction: Transaction, selection: Selection) -> tuple[Route, str]:
    if selection.touches_nothing:
        return "insert_only", "no file can hold a row for which the predicate is true"
    if not selection.scanned.count:
        return "classic", "the predicate chooses whole files"
    if transaction.writes_vectors("DELETE"):
        return "deletion_vectors", "the table has deletion vectors on"
    return "classic", "deletion vectors are off: touched files are rewritten"


def _files(transaction: Transaction, replacement: Replacement) -> tuple[Files, Files, str]:
    """Files that go whole, files that are scanned, and by what they were chosen."""
    none = Files(transaction.jvm.seq([]), 0, 0)
    match replacement:
        case Nothing():
            return none, none, "no file is needed"
        case Partitions():
            return none, none, "the partitions of the new rows"
        case Everything(files):
            return files, none, "nothing"
        case Chosen(selection):
            return selection.whole, selection.scanned, "the predicate"
        case Matching(merge):
            rules = "; ".join(merge.plan.pruning.rules) or "nothing"
            return none, merge.plan.files or none, rules


def exact_filters(replacement: Replacement) -> dict[str, str]:
    """The confs under which to take the old rows out, lest some be missed."""
    match replacement:
        case Chosen(selection):
            return selection.exact_filters()
        case Matching(merge):
            return merge.exact_filters()
        case Nothing() | Partitions() | Everything():
            return {}


def take_away(transaction: Transaction, replacement: Replacement, route: Route) -> Taken:
    """What takes the old rows out; for partitions see `take_partitions`."""
    match replacement:
        case Nothing() | Partitions():
            return Taken()
        case Everything(files):
            return Taken((transaction.remove(files),), transaction.logical_rows(files))
        case Chosen(selection):
            return take_out(selection, by_vectors=route == "deletion_vectors")
        case Matching(merge):
            return take_out_matches(merge)


def take_partitions(transaction: Transaction, written: FileChanges, options: JavaObject) -> Taken:
    """The old files of the partitions that the new files are in.

    Null is a partition like others, unless useNullIntolerantEqualityWithDPO is among the options.
    """
    new = transaction.jvm.items(written.actions)
    if optional(options.useNullIntolerantEqualityWithDPO()):
        new = [file for file in new if not file.partitionValues().values().toSeq().contains(None)]
    files = transaction.files_of(transaction.java.filterFiles(transaction.jvm.seq(new)))
    rows = transaction.logical_rows(transaction.with_statistics(files)) if files.count else 0
    return Taken((transaction.remove(files),), rows)
