"""The conductor of a merge: source -> plan -> route -> commit -> metrics."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..delta import (
    ONE_JOB_A_QUERY,
    FileSteps,
    Jvm,
    Transaction,
    active,
    commit_merge,
    confs,
    few_partitions,
    growing,
    has_been_executed,
    naming_casts,
    native,
    noted,
    once,
    prepare_merge,
    reads_other_columns,
    record_unseen_reads,
    refuse_changes_since_analysis,
    shown_in_ui,
    transaction,
    until_no_block_is_lost,
    until_no_conflict,
)
from ..internal_columns import Names
from ..metrics import OperationMetrics, since
from ..plan import MergePlan
from ..result import MergeResult
from . import classic, deletion_vectors, insert_only
from .counts import counted
from .matches import Merge, found_matches, planned
from .prediction import predicted
from .resolve import ResolvedMerge, resolve
from .rows import Outcome
from .source import Source, evaluated

if TYPE_CHECKING:
    from .request import MergeRequest

logger = logging.getLogger(__name__)


def merge(
    request: MergeRequest,
    *,
    conflict_retries: int = 5,
    user_metadata: str | None = None,
    idempotency_key: str | None = None,
    use_native: bool = False,
) -> MergeResult:
    """Run the merge and commit it once, or not at all where there is nothing to do.

    Raises DuplicateMatchError, SourceReadsTargetError, and what Delta raises for the same merge;
    after any error the table is as it was.
    """
    jvm = Jvm.private(request.spark)
    said = {**noted(user_metadata), **once(idempotency_key), **growing(request.evolves)}
    with active(jvm), confs(jvm, said):
        resolved = resolve(request, jvm)
        reason = native.ASKED_FOR if use_native else _why_native(resolved)
        if reason is not None:
            return _natively(request, resolved, reason)
        with naming_casts(lambda: resolved.source_columns, lambda: resolved.target_columns):
            result = until_no_block_is_lost(lambda: _replayed(request, resolved, conflict_retries))
        if result.version is not None:
            jvm.recache(resolved.command.target())
        return result


def explain(request: MergeRequest) -> MergePlan:
    """Plan the merge on the newest snapshot, and count what it would do; commits nothing."""
    jvm = Jvm.private(request.spark)
    with active(jvm), confs(jvm, growing(request.evolves)):
        resolved = resolve(request, jvm)
        reason = _why_native(resolved)
        if reason is not None:
            return MergePlan("native", reason, resolved.table_name)
        names = Names.fresh(resolved.all_names())
        with (
            transaction(jvm, *resolved.table) as txn,
            evaluated(resolved, names.source_row) as source,
        ):
            prepare_merge(txn, resolved.command)
            merge = planned(resolved, txn, names, source)
            return replace(merge.plan, prediction=predicted(merge))


def _why_native(resolved: ResolvedMerge) -> str | None:
    index = resolved.command.targetFileIndex()
    return native.why_native(index.protocol(), index.metadata().schema())


def _natively(request: MergeRequest, resolved: ResolvedMerge, reason: str) -> MergeResult:
    native.warn_once(f"MERGE INTO {resolved.table_name}", reason)
    commit = native.run(request, resolved.jvm, resolved.table[0])
    plan = MergePlan("native", reason, resolved.table_name)
    return MergeResult(commit.version, "native", commit.metrics, plan)


def _replayed(request: MergeRequest, resolved: ResolvedMerge, retries: int) -> MergeResult:
    """Run the merge, again from the start on the newest snapshot after each conflict.

    A source that does not read the target is evaluated once for all attempts, before the first
    transaction opens. One that does is evaluated inside each, pinned to its snapshot.
    """
    jvm, names = resolved.jvm, Names.fresh(resolved.all_names())
    if resolved.source_reads_target():
        return _counting_replays(jvm, lambda n: _anew(request, resolved, names, n), retries)
    with evaluated(resolved, names.source_row) as source:

        def once_more(number: int) -> MergeResult:
            with transaction(jvm, *resolved.table) as txn:
                again = resolved
                if number > 0 or resolved.has_subqueries:
                    again = resolve(request.over(source.as_evaluated(resolved)), jvm)
                return _attempt(again, txn, names, source)

        return _counting_replays(jvm, once_more, retries)


def _anew(request: MergeRequest, resolved: ResolvedMerge, names: Names, number: int) -> MergeResult:
    """An attempt whose source is computed from the transaction's snapshot, and recorded so."""
    jvm = resolved.jvm
    with transaction(jvm, *resolved.table) as txn:
        source = resolved.command.source()
        stale = number > 0 or reads_other_columns(jvm, source, txn.snapshot)
        with request.computed(again=stale) as fresh:
            same = fresh is request and not stale and not resolved.has_subqueries
            again = resolved if same else resolve(fresh, jvm)
            record_unseen_reads(txn, again.command.source())
            with evaluated(again, names.source_row) as rows:
                return _attempt(again, txn, names, rows)


def _counting_replays(jvm: Jvm, attempt: Callable[[int], MergeResult], retries: int) -> MergeResult:
    result, failed = until_no_conflict(jvm, attempt, retries)
    return replace(result, retries=failed)


def _attempt(
    resolved: ResolvedMerge, txn: Transaction, names: Names, source: Source
) -> MergeResult:
    with shown_in_ui(resolved.jvm, resolved.command, f"MERGE INTO {resolved.table_name}"):
        return _committed(resolved, txn, names, source)


def _committed(
    resolved: ResolvedMerge, txn: Transaction, names: Names, source: Source
) -> MergeResult:
    started = time.monotonic()
    refuse_changes_since_analysis(txn, resolved.index)
    if has_been_executed(txn, resolved.command):
        plan = MergePlan(
            "no_op", "this txnAppId and txnVersion are in the log", resolved.table_name
        )
        return MergeResult(None, "no_op", OperationMetrics(), plan)
    prepare_merge(txn, resolved.command)
    with confs(resolved.jvm, ONE_JOB_A_QUERY):
        merge = planned(resolved, txn, names, source)
    plan = merge.plan
    logger.debug("%s", plan.explain())
    small = few_partitions(resolved.jvm) if plan.is_small else {}
    with confs(resolved.jvm, {**small, **merge.cheapest_positions()}):
        outcome = _run(merge)
    milliseconds = source.milliseconds + since(started)
    values = {**counted(source, plan, outcome), "executionTimeMs": milliseconds}
    with confs(resolved.jvm, ONE_JOB_A_QUERY):
        commit = commit_merge(txn, resolved.command, outcome.changes, values)
    if plan.whole is not None:
        plan = replace(plan, steps=FileSteps.of(plan.whole, outcome.changes))
    if commit.version is None:
        return MergeResult(None, "no_op", commit.metrics, plan)
    logger.debug("committed version %s: %s", commit.version, commit.metrics.as_dict())
    return MergeResult(commit.version, plan.route, commit.metrics, plan)


def _run(merge: Merge) -> Outcome:
    started = time.monotonic()
    match merge.plan.route:
        case "no_op" | "native":
            return Outcome()
        case "insert_only":
            return replace(insert_only.run(merge), rewrite_milliseconds=since(started))
        case "deletion_vectors":
            return _timed(deletion_vectors.run(merge, started), started)
        case "classic":
            with found_matches(merge) as matches:
                scan = since(started)
                return _timed(replace(classic.run(merge, matches), scan_milliseconds=scan), started)


def _timed(outcome: Outcome, started: float) -> Outcome:
    """The outcome with the time that went into neither the scan nor what came before it."""
    return replace(outcome, rewrite_milliseconds=since(started) - outcome.scan_milliseconds)
