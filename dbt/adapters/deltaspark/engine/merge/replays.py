"""A merge tried until no other commit comes first, each time against the newest snapshot."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from ..delta import (
    Transaction,
    reads_other_columns,
    record_unseen_reads,
    refuse_native,
    transaction,
    until_no_row_is_lost,
)
from ..result import MergeResult, until_committed
from .resolve import ResolvedMerge, resolve
from .source import Source, evaluated

if TYPE_CHECKING:
    from ..delta import Jvm
    from .request import MergeRequest

Attempt: TypeAlias = Callable[[ResolvedMerge, Transaction, Source], MergeResult]


def replayed(
    request: MergeRequest, resolved: ResolvedMerge, attempt: Attempt, conflict_retries: int
) -> MergeResult:
    """Attempt the merge, again from the start on the newest snapshot after each conflict.

    A source that does not read the target is evaluated once for all attempts, before the first
    transaction opens. One that does is evaluated inside each, pinned to its snapshot. Each attempt
    has a command of its own, whose metrics begin at 0.
    """
    again = _with_source_of_snapshot if resolved.source_reads_target() else _with_one_source
    commands = chain([resolved], iter(lambda: _resolved_anew(request, resolved.jvm), None))
    return until_no_row_is_lost(lambda: again(request, next(commands), attempt, conflict_retries))


def _resolved_anew(request: MergeRequest, jvm: Jvm) -> ResolvedMerge:
    resolved = resolve(request, jvm)
    refuse_native(resolved.index, resolved.table_name)
    return resolved


def _with_one_source(
    request: MergeRequest, resolved: ResolvedMerge, attempt: Attempt, conflict_retries: int
) -> MergeResult:
    jvm = resolved.jvm
    with evaluated(resolved) as source:

        def tried(number: int) -> MergeResult:
            with transaction(jvm, *resolved.table) as txn:
                again = resolved
                if number > 0 or resolved.has_subqueries:
                    again = _resolved_anew(request.over(source.as_evaluated(resolved)), jvm)
                return attempt(again, txn, source)

        return until_committed(jvm, tried, conflict_retries)


def _with_source_of_snapshot(
    request: MergeRequest, resolved: ResolvedMerge, attempt: Attempt, conflict_retries: int
) -> MergeResult:
    """The source is computed from each transaction's snapshot, and recorded so."""
    jvm = resolved.jvm

    def tried(number: int) -> MergeResult:
        with transaction(jvm, *resolved.table) as txn:
            source = resolved.command.source()
            stale = number > 0 or reads_other_columns(jvm, source, txn.snapshot)
            with request.computed(again=stale) as fresh:
                same = fresh is request and not stale and not resolved.has_subqueries
                again = resolved if same else _resolved_anew(fresh, jvm)
                record_unseen_reads(txn, again.command.source())
                with evaluated(again) as rows:
                    return attempt(again, txn, rows)

    return until_committed(jvm, tried, conflict_retries)
