"""The conductor of a write: alignment -> what gives way -> new files -> one commit."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..definition import delta_table
from ..delta import (
    ONE_JOB_A_QUERY,
    FileChanges,
    FileSteps,
    Jvm,
    Transaction,
    active,
    at_once,
    confs,
    has_been_executed,
    idempotency,
    is_path,
    naming_casts,
    native,
    noted,
    record_unseen_reads,
    refuse_changes_since_analysis,
    refuse_removals_if_append_only,
    shown_in_ui,
    table_exists,
    table_name,
    transaction,
    until_no_block_is_lost,
    until_no_conflict,
)
from ..errors import EngineError
from ..metrics import OperationMetrics, since
from ..plan import ChangePlan
from ..result import MergeResult
from .alignment import CASTS, Aligned, align, has_counted_feed
from .counts import counted, reported
from .delta_writer import create, refuse_other_definition, write_natively
from .first_version import adopted, make
from .new_rows import write_rows
from .redefinition import redefine
from .replacement import (
    Evaluated,
    Partitions,
    Replacement,
    evaluated_in,
    evaluated_once,
    files_of,
    replacement_of,
    route_of,
    take_away,
    take_partitions,
)
from .request import Write
from .write_rules import prepare_write, write_command, write_operation, write_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame

    from ..change import Taken
    from ..delta import JavaObject
    from ..spec import WriteSpec

logger = logging.getLogger(__name__)


def write_frame(
    source: DataFrame,
    table: str,
    spec: WriteSpec,
    *,
    conflict_retries: int = 5,
    source_sql: str | None = None,
) -> MergeResult:
    """Write the rows and commit once, or not at all where there is nothing to do.

    Raises what Delta's writer raises, EngineError where the table is there and the mode is `error`,
    SourceReadsTargetError, and ReplaceWhereViolationError; after any error the table is as it was.
    """
    exists = table_exists(source.sparkSession, table)
    if exists and spec.mode == "error":
        raise EngineError(f"{table} exists already; write to it with mode append or overwrite")
    if exists and spec.mode == "ignore":
        return _nothing("the table exists and the mode is ignore", table)
    exists = exists or adopted(source.sparkSession, table, spec)
    if not exists and (spec.columns or is_path(source.sparkSession, table)):
        return make(source, table, spec)
    if spec.columns and spec.overwrite_schema:
        return redefine(source, table, spec, conflict_retries=conflict_retries)
    if not exists or spec.overwrite_schema:
        return create(source, table, spec, replaces=exists)
    jvm = Jvm.private(source.sparkSession)
    with active(jvm), confs(jvm, {**noted(spec.user_metadata), **CASTS}):
        write = Write(jvm, source, table, spec, source_sql)
        return until_no_block_is_lost(lambda: _replayed(write, conflict_retries))


def _nothing(reason: str, table: str) -> MergeResult:
    plan = ChangePlan("WRITE", "no_op", reason, table)
    return MergeResult(None, "no_op", OperationMetrics(), plan)


def _replayed(write: Write, retries: int) -> MergeResult:
    """The write, again on the newest snapshot after each conflict.

    Everything is resolved anew for that snapshot. So are the rows evaluated, unless they were kept:
    those are not computed from the table.
    """
    jvm = write.jvm

    def attempt(number: int) -> MergeResult:
        if kept is None or number == 0:
            return _attempt(write, kept)
        return _attempt(write, kept.resolved_anew(write.table, write.spec))

    with evaluated_once(jvm, write.source, write.table, write.spec) as kept:
        result, failed = until_no_conflict(jvm, attempt, retries)
    if result.version is not None:
        jvm.recache_table(write.table)
    return replace(result, retries=failed)


def _attempt(write: Write, kept: Evaluated | None) -> MergeResult:
    jvm, spec = write.jvm, write.spec
    table = delta_table(jvm, write.table)
    name = table_name(table.catalogTable(), table.deltaLog())
    reason = _why_native(jvm, table.initialSnapshot(), spec)
    if reason is not None:
        native.warn_once(f"WRITE {name}", reason)
        return write_natively(write.source, write.table, spec, reason)
    with transaction(jvm, table.deltaLog(), table.catalogTable()) as txn:
        refuse_changes_since_analysis(txn, table.initialSnapshot())
        if kept is not None:
            return _in_snapshot(write, txn, name, kept.rows, kept)
        source = write.rows_for(txn)
        record_unseen_reads(txn, jvm.analyzed(source))
        with evaluated_in(txn, source, write.table, spec) as matching:
            rows = source if matching is None else matching.rows
            return _in_snapshot(write, txn, name, rows, matching)


def _in_snapshot(
    write: Write, txn: Transaction, name: str, rows: DataFrame, matching: Evaluated | None
) -> MergeResult:
    """The write as of the transaction's snapshot, against which everything is resolved."""
    jvm, spec = write.jvm, write.spec
    aligned = align(jvm, rows, write.table, spec)
    refuse_changes_since_analysis(txn, aligned.snapshot)
    options = write_options(jvm, spec)
    command = write_command(jvm, spec, aligned.frame, aligned.table, options)
    with shown_in_ui(jvm, command, f"WRITE {name}"):
        if has_been_executed(txn, command, options):
            return _nothing("the idempotency key is in the table's log", name)
        attempt = Attempt(txn, spec, aligned, command, options, name)
        with naming_casts(lambda: _fields(jvm, write.source), lambda: aligned.schema.fields()):
            return attempt.run(write.table, matching)


def _fields(jvm: Jvm, source: DataFrame) -> list[JavaObject]:
    return list(jvm.analyzed(source).schema().fields())


def _why_native(jvm: Jvm, snapshot: JavaObject, spec: WriteSpec) -> str | None:
    """Why Delta's writer must do it.

    Change rows of new rows need their identity values before the writer generates them.
    """
    reason = native.why_native(snapshot.protocol(), snapshot.schema())
    if reason is None and spec.replaces_some and has_counted_feed(jvm, snapshot.metadata()):
        return "rows are replaced in a table with identity columns and a change data feed"
    return reason


@dataclass(frozen=True, slots=True)
class Attempt:
    """One write inside its transaction."""

    transaction: Transaction
    spec: WriteSpec
    aligned: Aligned
    command: JavaObject
    options: JavaObject
    name: str

    def run(self, table: str, matching: Evaluated | None) -> MergeResult:
        txn, started = self.transaction, time.monotonic()
        self._prepare()
        with confs(txn.jvm, ONE_JOB_A_QUERY):
            replacement = replacement_of(txn, table, self.spec, matching)
            plan = self._planned(replacement)
        logger.debug("%s", plan.explain())
        taken, written = self._changes(replacement, plan)
        changes = (*taken.changes, written)
        values = {**counted(taken, written), "executionTimeMs": since(started)}
        with confs(txn.jvm, ONE_JOB_A_QUERY):
            version = self._commit(changes, values)
        metrics = OperationMetrics.of(values)
        if version is None:
            return MergeResult(None, "no_op", metrics, plan)
        logger.debug("committed version %s: %s", version, values)
        if plan.whole is not None:
            plan = replace(plan, steps=FileSteps.of(plan.whole, changes))
        return MergeResult(version, plan.route, metrics, plan)

    def _prepare(self) -> None:
        """What must hold before anything is read; the table's metadata grown where it may grow."""
        txn, aligned = self.transaction, self.aligned
        if self.spec.mode == "overwrite":
            refuse_removals_if_append_only(txn)
        refuse_other_definition(txn, self.spec, self.name)
        prepare_write(txn, self.command, self.spec, aligned.frame)

    def _planned(self, replacement: Replacement) -> ChangePlan:
        route, reason = route_of(self.transaction, replacement)
        replaced, scanned, rule = files_of(self.transaction, replacement)
        whole = self.transaction.table_size()
        return ChangePlan("WRITE", route, reason, self.name, whole, replaced, scanned, rule)

    def _changes(self, replacement: Replacement, plan: ChangePlan) -> tuple[Taken, FileChanges]:
        """Old rows out and new rows in; side by side where neither needs the other."""
        txn = self.transaction
        if isinstance(replacement, Partitions):
            written = self._written(with_change_rows=False)
            return take_partitions(txn, written, self.options), written
        if plan.route == "deletion_vectors":
            return at_once(
                txn,
                lambda: take_away(txn, replacement, plan.route),
                lambda: self._written(with_change_rows=False),
            )
        taken = take_away(txn, replacement, plan.route)
        return taken, self._written(with_change_rows=taken.change_rows)

    def _written(self, *, with_change_rows: bool) -> FileChanges:
        return write_rows(
            self.transaction,
            self.aligned.frame,
            self.spec,
            self.command,
            self.options,
            self.name,
            with_change_rows=with_change_rows,
        )

    def _commit(self, changes: Sequence[FileChanges], values: dict[str, int]) -> int | None:
        txn = self.transaction
        said = {name: values[name] for name in reported(self.spec)}
        operation = write_operation(txn.jvm, self.spec, self.options, [*said])
        once = idempotency(txn, self.command, self.options).toList()
        return txn.commit(operation, changes, said, txn.jvm.items(once))
