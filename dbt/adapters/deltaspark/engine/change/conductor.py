"""The conductor of a DELETE or UPDATE: selection -> route -> commit -> metrics."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..delta import (
    ONE_JOB_A_QUERY,
    Commit,
    FileChanges,
    Jvm,
    Transaction,
    active,
    confs,
    delete_operation,
    has_been_executed,
    idempotency,
    native,
    noted,
    record_unseen_reads,
    refuse_changes_since_analysis,
    refuse_miscounts,
    refuse_native,
    refuse_removals_if_append_only,
    shown_in_ui,
    transaction,
    until_no_row_is_lost,
    update_operation,
    why_native,
)
from ..metrics import OperationMetrics, since
from ..plan import ChangePlan
from ..result import MergeResult, until_committed
from .request import ChangeRequest, ResolvedChange, resolve_change
from .selection import Selection, Taken, select_rows, take_out
from .update import update_rows

if TYPE_CHECKING:
    from ..plan import Route

logger = logging.getLogger(__name__)


def change(
    request: ChangeRequest, *, conflict_retries: int = 5, user_metadata: str | None = None
) -> MergeResult:
    """Delete or update the rows and commit once, or not at all where no row is chosen.

    Raises what Delta raises for the same statement; after any error the table is as it was.
    """
    jvm = Jvm.private(request.spark)
    with active(jvm), confs(jvm, noted(user_metadata)):
        resolved = resolve_change(request, jvm)
        reason = why_native(resolved.index)
        if reason is not None:
            return _natively(request, resolved, reason)

        def attempt(number: int) -> MergeResult:
            with confs(jvm, ONE_JOB_A_QUERY), transaction(jvm, *resolved.table) as txn:
                same = number == 0 and not resolved.has_subqueries
                again = resolved if same else _resolved_anew(request, jvm)
                with shown_in_ui(jvm, again.command, f"{again.verb} {again.table_name}"):
                    return _attempt(again, txn)

        result = until_no_row_is_lost(lambda: until_committed(jvm, attempt, conflict_retries))
        if result.version is not None:
            jvm.recache(resolved.command.target())
        return result


def _resolved_anew(request: ChangeRequest, jvm: Jvm) -> ResolvedChange:
    resolved = resolve_change(request, jvm)
    refuse_native(resolved.index, resolved.table_name)
    return resolved


def _natively(request: ChangeRequest, resolved: ResolvedChange, reason: str) -> MergeResult:
    native.warn_once(f"{resolved.verb} of {resolved.table_name}", reason)
    commit = native.run(request, resolved.jvm, *resolved.table)
    plan = ChangePlan(resolved.verb, "native", reason, resolved.table_name)
    return MergeResult.natively(commit, plan)


def _attempt(resolved: ResolvedChange, txn: Transaction) -> MergeResult:
    started = time.monotonic()
    refuse_removals_if_append_only(txn)
    refuse_changes_since_analysis(txn, resolved.index)
    record_unseen_reads(txn, resolved.command)
    if has_been_executed(txn, resolved.command):
        reason = "this txnAppId and txnVersion are in the log"
        plan = ChangePlan(resolved.verb, "no_op", reason, resolved.table_name)
        return MergeResult.nothing(plan)
    selection = select_rows(txn, resolved.command.target(), resolved.condition)
    plan = _planned(resolved, txn, selection)
    logger.debug("%s", plan.explain())
    scan = since(started)
    cheapest = selection.cheapest_jobs() if plan.route == "deletion_vectors" else {}
    with confs(txn.jvm, {**cheapest, **selection.exact_filters()}):
        taken = _taken(resolved, selection, plan.route)
    values = _values(resolved, taken) | {
        "executionTimeMs": since(started),
        "scanTimeMs": scan,
        "rewriteTimeMs": since(started) - scan,
    }
    version = _commit(resolved, txn, taken, values)
    return MergeResult.committed(Commit(version, OperationMetrics.of(values)), plan, taken.changes)


def _planned(resolved: ResolvedChange, txn: Transaction, selection: Selection) -> ChangePlan:
    route, reason = _route(resolved, txn, selection)
    return ChangePlan(
        resolved.verb,
        route,
        reason,
        resolved.table_name,
        whole=txn.table_size(),
        replaced=selection.whole,
        scanned=selection.scanned,
        rule="the condition" if resolved.condition is not None else "nothing",
    )


def _route(resolved: ResolvedChange, txn: Transaction, selection: Selection) -> tuple[Route, str]:
    if selection.touches_nothing:
        return "no_op", "no file can hold a row for which the condition is true"
    if not selection.scanned.count:
        return "classic", "the condition chooses whole files"
    if txn.writes_vectors(resolved.verb):
        return "deletion_vectors", "the table has deletion vectors on"
    return "classic", "deletion vectors are off: touched files are rewritten"


def _taken(resolved: ResolvedChange, selection: Selection, route: Route) -> Taken:
    if selection.touches_nothing:
        return Taken()
    by_vectors = route == "deletion_vectors"
    if resolved.verb == "DELETE":
        return take_out(selection, by_vectors=by_vectors)
    return update_rows(selection, resolved.new_values(), by_vectors=by_vectors)


def _commit(
    resolved: ResolvedChange, txn: Transaction, taken: Taken, values: dict[str, int]
) -> int | None:
    refuse_miscounts(txn, resolved.verb, taken.changes, keeps_rows=resolved.verb == "UPDATE")
    first = idempotency(txn, resolved.command)
    if resolved.verb == "UPDATE":
        operation = update_operation(resolved.jvm, resolved.command)
        return txn.commit(operation, taken.changes, values, first)
    operation = delete_operation(resolved.jvm, resolved.command)
    touched = txn.actions(taken.changes).nonEmpty()
    return txn.commit(operation, taken.changes, values, first if touched else ())


def _values(resolved: ResolvedChange, taken: Taken) -> dict[str, int]:
    """The commit's metrics (DeltaOperationMetrics.DELETE and UPDATE)."""
    rows = "numDeletedRows" if resolved.verb == "DELETE" else "numUpdatedRows"
    return {rows: taken.rows or 0, "numCopiedRows": taken.copied, **file_values(taken.changes)}


def file_values(changes: Sequence[FileChanges]) -> dict[str, int]:
    """What a commit does to files, under the names that DELETE and UPDATE share."""
    return {
        "numAddedFiles": sum(change.files_added for change in changes),
        "numAddedBytes": sum(change.bytes_added for change in changes),
        "numRemovedFiles": sum(change.files_removed for change in changes),
        "numRemovedBytes": sum(change.bytes_removed for change in changes),
        "numAddedChangeFiles": sum(change.change_files_added for change in changes),
        "changeFileBytes": sum(change.change_bytes_added for change in changes),
        "numDeletionVectorsAdded": sum(change.vectors_added for change in changes),
        "numDeletionVectorsRemoved": sum(change.vectors_removed for change in changes),
        "numDeletionVectorsUpdated": sum(change.vectors_updated for change in changes),
    }
