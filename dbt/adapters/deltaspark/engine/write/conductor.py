"""The conductor of a write: alignment -> what gives way -> new files -> one commit."""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException

from ..definition import delta_table
from ..delta import (
    ONE_JOB_A_QUERY,
    Commit,
    FileChanges,
    Jvm,
    Transaction,
    active,
    at_once,
    check_native_commit,
    confs,
    has_been_executed,
    idempotency,
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
    until_no_row_is_lost,
    why_native,
)
from ..errors import EngineError
from ..metrics import OperationMetrics, since
from ..plan import ChangePlan
from ..result import MergeResult, until_committed
from ..spec import quoted
from .alignment import CASTS, align, has_counted_feed
from .counts import counted, reported
from .delta_writer import create, refuse_other_definition, write_natively
from .first_version import is_made_here, make
from .new_rows import write_rows
from .place import Place
from .redefinition import redefine, redefined_here
from .replacement import (
    Evaluated,
    Partitions,
    Replacement,
    evaluated_in,
    evaluated_once,
    exact_filters,
    plan_write,
    replacement_of,
    take_away,
    take_partitions,
)
from .request import Write
from .write_rules import WriteCommand, prepare_write, write_command, write_operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import DataFrame, SparkSession

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
    or where its folder has one that the catalog does not know and that is not to be replaced whole;
    SourceReadsTargetError, and ReplaceWhereViolationError. After any error the table is as it was.
    """
    exists, found = _looked_up(source.sparkSession, table, spec)
    if found is not None:
        return redefine(source, table, spec, conflict_retries=conflict_retries, found=found)
    if exists and spec.mode == "error":
        raise EngineError(f"{table} exists already; write to it with mode append or overwrite")
    if exists and spec.mode == "ignore":
        return _nothing("the table exists and the mode is ignore", table)
    if not exists:
        made = _made(source, table, spec, conflict_retries)
        if made is not None:
            return made
    if spec.overwrite_schema:
        return _replaced_whole(source, table, spec, conflict_retries)
    jvm = Jvm.private(source.sparkSession)
    with active(jvm), confs(jvm, {**noted(spec.user_metadata), **CASTS}):
        write = Write(jvm, source, table, spec, source_sql)
        return until_no_row_is_lost(lambda: _replayed(write, conflict_retries))


def _looked_up(spark: SparkSession, table: str, spec: WriteSpec) -> tuple[bool, JavaObject | None]:
    """Whether the table is there; and it, where the engine's own transaction replaces it whole.

    Then its name is looked up once, which asks Hive for the schema and twice for the table.
    """
    if spec.replaces_whole:
        try:
            found = redefined_here(spark, table, spec)
        except AnalysisException as error:  # others are raised again below
            if error.getCondition() == "TABLE_OR_VIEW_NOT_FOUND":
                return False, None
        else:
            if found is not None and found.initialSnapshot().version() >= 0:
                return True, found
    return table_exists(spark, table), None


def _made(
    source: DataFrame, table: str, spec: WriteSpec, conflict_retries: int
) -> MergeResult | None:
    """A new table, or one in the place of what the catalog lost; None where it is there by now."""
    place = Place.of(Jvm.private(source.sparkSession), table, spec)
    if place is None or not place.is_delta_table():
        if place is not None and is_made_here(place, spec):
            return make(source, place, spec)
        return create(source, table, spec, replaces=False)
    if not spec.replaces_whole:
        raise place.taken()
    return None if place.is_registered() else _replaced_there(source, place, spec, conflict_retries)


def _replaced_whole(
    source: DataFrame, table: str, spec: WriteSpec, conflict_retries: int
) -> MergeResult:
    found = redefined_here(source.sparkSession, table, spec)
    if spec.columns or found is not None:
        return redefine(source, table, spec, conflict_retries=conflict_retries, found=found)
    return create(source, table, spec, replaces=True)


def _replaced_there(
    source: DataFrame, place: Place, spec: WriteSpec, conflict_retries: int
) -> MergeResult:
    """The table in the folder is replaced, as CREATE OR REPLACE TABLE does, and then registered.

    It is one that the catalog lost, or whose writer died before it was registered.
    """
    logger.warning(
        "%s replaces the Delta table in %s, which the catalog does not know",
        place.name,
        place.folder.toString(),
    )
    path = f"delta.{quoted(place.folder.toString())}"
    found = redefined_here(source.sparkSession, path, spec)
    if not spec.columns and found is None:
        return create(source, place.name, spec, replaces=True, unregistered=place.log())
    result = redefine(source, path, spec, conflict_retries=conflict_retries, found=found)
    with active(place.jvm):
        place.register(place.log())
    return result


def _nothing(reason: str, table: str) -> MergeResult:
    plan = ChangePlan("WRITE", "no_op", reason, table)
    return MergeResult.nothing(plan)


def _replayed(write: Write, retries: int) -> MergeResult:
    """The write, again on the newest snapshot after each conflict.

    Everything is resolved anew for that snapshot. So are the rows evaluated, unless they were kept:
    those are not computed from the table.
    """
    jvm = write.jvm

    def attempt(number: int) -> MergeResult:
        if kept is None or number == 0:
            return _in_transaction(write, kept)
        return _in_transaction(write, kept.resolved_anew(write.table, write.spec))

    with evaluated_once(jvm, write.source, write.table, write.spec) as kept:
        result = until_committed(jvm, attempt, retries)
    if result.version is not None:
        jvm.recache_table(write.table)
    return result


def _in_transaction(write: Write, kept: Evaluated | None) -> MergeResult:
    jvm, spec = write.jvm, write.spec
    table = delta_table(jvm, write.table)
    name = table_name(table.catalogTable(), table.deltaLog())
    reason = _why_native(jvm, table.initialSnapshot(), spec)
    if reason is not None:
        native.warn_once(f"WRITE {name}", reason)
        check_native_commit(jvm, table.deltaLog(), table.catalogTable())
        aligned = align(jvm, write.source, write.table, spec)
        return write_natively(aligned, write.table, spec, reason)
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
    jvm = write.jvm
    aligned = align(jvm, rows, write.table, write.spec)
    refuse_changes_since_analysis(txn, aligned.snapshot)
    command = write_command(jvm, write.spec, aligned.frame, aligned.table)
    with (
        shown_in_ui(jvm, command.java, f"WRITE {name}"),
        naming_casts(lambda: _fields(jvm, write.source), lambda: aligned.schema.fields()),
    ):
        if has_been_executed(txn, command.java, command.options):
            return _nothing("the idempotency key is in the table's log", name)
        started = time.monotonic()
        _prepare(txn, command, aligned.frame, name)
        with confs(jvm, ONE_JOB_A_QUERY):
            replacement = replacement_of(txn, write.table, write.spec, matching)
            plan = plan_write(txn, replacement, name)
        logger.debug("%s", plan.explain())
        with confs(jvm, exact_filters(replacement)):
            taken, written = _changes(txn, command, aligned.frame, replacement, plan)
        changes = (*taken.changes, written)
        values = {**counted(taken, written), "executionTimeMs": since(started)}
        with confs(jvm, ONE_JOB_A_QUERY):
            commit = _commit(txn, command, changes, values)
        return MergeResult.committed(commit, plan, changes)


def _prepare(txn: Transaction, command: WriteCommand, rows: DataFrame, name: str) -> None:
    """What must hold before anything is read; the table's metadata grown where it may grow."""
    if command.spec.mode == "overwrite":
        refuse_removals_if_append_only(txn)
    refuse_other_definition(txn, command.spec, name)
    prepare_write(txn, command, rows)


def _changes(
    txn: Transaction,
    command: WriteCommand,
    rows: DataFrame,
    replacement: Replacement,
    plan: ChangePlan,
) -> tuple[Taken, FileChanges]:
    """Old rows out and new rows in; side by side where neither needs the other."""

    def written(*, with_change_rows: bool = False) -> FileChanges:
        return write_rows(txn, rows, command, plan.table, with_change_rows=with_change_rows)

    if isinstance(replacement, Partitions):
        new = written()
        return take_partitions(txn, new, command.options), new
    if plan.route == "deletion_vectors":
        return at_once(txn, lambda: take_away(txn, replacement, plan.route), written)
    taken = take_away(txn, replacement, plan.route)
    return taken, written(with_change_rows=taken.change_rows)


def _commit(
    txn: Transaction,
    command: WriteCommand,
    changes: Sequence[FileChanges],
    values: dict[str, int],
) -> Commit:
    said = {name: values[name] for name in reported(command.spec)}
    operation = write_operation(txn.jvm, command, [*said])
    once = idempotency(txn, command.java, command.options)
    version = txn.commit(operation, changes, said, once)
    return Commit(version, OperationMetrics.of(values))


def _fields(jvm: Jvm, source: DataFrame) -> list[JavaObject]:
    return list(jvm.analyzed(source).schema().fields())


def _why_native(jvm: Jvm, snapshot: JavaObject, spec: WriteSpec) -> str | None:
    """Why Delta's writer must do it.

    Change rows of new rows need their identity values before the writer generates them.
    """
    reason = why_native(snapshot)
    if reason is None and spec.replaces_some and has_counted_feed(jvm, snapshot.metadata()):
        return "rows are replaced in a table with identity columns and a change data feed"
    return reason
