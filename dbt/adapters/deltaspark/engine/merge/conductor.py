"""The conductor of a merge: source -> plan -> route -> commit -> metrics."""

from __future__ import annotations

import logging
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from ..delta import (
    ONE_JOB_A_QUERY,
    Jvm,
    Transaction,
    active,
    commit_merge,
    confs,
    growing,
    has_been_executed,
    naming_casts,
    native,
    noted,
    once,
    prepare_merge,
    refuse_changes_since_analysis,
    shown_in_ui,
    transaction,
    until_no_row_is_lost,
    why_native,
)
from ..metrics import since
from ..plan import MergePlan
from ..result import MergeResult
from . import classic, deletion_vectors, insert_only
from .attempt import Merge, planned
from .counts import counted
from .prediction import predicted
from .replays import replayed
from .resolve import ResolvedMerge, resolve
from .rows import Outcome
from .source import Source, evaluated

if TYPE_CHECKING:
    from .request import MergeRequest

logger = logging.getLogger(__name__)

IN_THE_LOG = "this txnAppId and txnVersion are in the log"


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
        reason = native.ASKED_FOR if use_native else why_native(resolved.index)
        if reason is not None:
            return _natively(request, resolved, reason)
        with naming_casts(lambda: resolved.source_columns, lambda: resolved.target_columns):
            result = replayed(request, resolved, _attempt, conflict_retries)
        if result.version is not None:
            jvm.recache(resolved.command.target())
        return result


def explain(request: MergeRequest) -> MergePlan:
    """Plan the merge on the newest snapshot, and count what it would do; commits nothing."""
    jvm = Jvm.private(request.spark)
    with active(jvm), confs(jvm, growing(request.evolves)):
        resolved = resolve(request, jvm)
        reason = why_native(resolved.index)
        if reason is not None:
            return MergePlan("native", reason, resolved.table_name)
        return until_no_row_is_lost(lambda: _explained(resolved))


def _explained(resolved: ResolvedMerge) -> MergePlan:
    with transaction(resolved.jvm, *resolved.table) as txn, evaluated(resolved) as source:
        prepare_merge(txn, resolved.command)
        merge = planned(resolved, txn, source)
        with confs(resolved.jvm, merge.exact_filters()):
            return replace(merge.plan, prediction=predicted(merge))


def _natively(request: MergeRequest, resolved: ResolvedMerge, reason: str) -> MergeResult:
    native.warn_once(f"MERGE INTO {resolved.table_name}", reason)
    commit = native.run(request, resolved.jvm, *resolved.table)
    plan = MergePlan("native", reason, resolved.table_name)
    return MergeResult.natively(commit, plan)


def _attempt(resolved: ResolvedMerge, txn: Transaction, source: Source) -> MergeResult:
    """The merge in its transaction, step by step, to its commit."""
    started = time.monotonic()
    with shown_in_ui(resolved.jvm, resolved.command, f"MERGE INTO {resolved.table_name}"):
        refuse_changes_since_analysis(txn, resolved.index)
        if has_been_executed(txn, resolved.command):
            return MergeResult.nothing(MergePlan("no_op", IN_THE_LOG, resolved.table_name))
        prepare_merge(txn, resolved.command)
        with confs(resolved.jvm, ONE_JOB_A_QUERY):
            merge = planned(resolved, txn, source)
        logger.debug("%s", merge.plan.explain())
        with confs(resolved.jvm, merge.cheapest_jobs()):
            outcome = _carried_out(merge)
        milliseconds = source.milliseconds + since(started)
        values = {**counted(source, merge.plan, outcome), "executionTimeMs": milliseconds}
        with confs(resolved.jvm, ONE_JOB_A_QUERY):
            commit = commit_merge(txn, resolved.command, outcome.changes, values)
        return MergeResult.committed(commit, merge.plan, outcome.changes)


def _carried_out(merge: Merge) -> Outcome:
    """The merge by its route, with the time that went into it after the scan."""
    started = time.monotonic()
    outcome = _by_route(merge)
    return replace(outcome, rewrite_milliseconds=since(started) - outcome.scan_milliseconds)


def _by_route(merge: Merge) -> Outcome:
    match merge.plan.route:
        case "no_op" | "native":
            return Outcome()
        case "insert_only":
            return insert_only.run(merge)
        case "deletion_vectors":
            return deletion_vectors.run(merge)
        case "classic":
            return classic.run(merge)
