"""Delta's own commands, whose rules a transaction begins and ends with; none of them is run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from ..errors import EngineError
from ..metrics import OperationMetrics
from .column_defaults import schema_to_grow_by
from .files import Commit, FileChanges, Operation
from .history import USER_METADATA
from .jvm import DELTA, JavaObject, Jvm, optional
from .repeated_hours import refuse_repeated_hours_of
from .scans import reads_changes_of, reads_table
from .target import schema_changed

if TYPE_CHECKING:
    from .transactions import Transaction


AUTO_MERGE = "spark.databricks.delta.schema.autoMerge.enabled"
SKIPPING = "spark.databricks.delta.stats.skipping"
IDEMPOTENT = "spark.databricks.delta.write"
TXN_VERSION = 1
"""Of the key's only change; the log has the highest of each txnAppId."""


def noted(user_metadata: str | None) -> dict[str, str]:
    """The conf by which the commit's history carries the text."""
    return {} if user_metadata is None else {USER_METADATA: user_metadata}


def once(idempotency_key: str | None) -> dict[str, str]:
    """The confs by which a MERGE that is in the log already does nothing."""
    return {f"{IDEMPOTENT}.{name}": said for name, said in write_once(idempotency_key).items()}


def write_once(idempotency_key: str | None) -> dict[str, str]:
    """The options by which a write that is in the log already does nothing."""
    if idempotency_key is None:
        return {}
    return {"txnAppId": idempotency_key, "txnVersion": str(TXN_VERSION)}


def is_in_log(txn: Transaction, idempotency_key: str | None) -> bool:
    """Whether a change that carries the key is in the table's log; without a key none is."""
    return idempotency_key is not None and txn.java.txnVersion(idempotency_key) >= TXN_VERSION


def growing(evolve_schema: bool | None) -> dict[str, str]:
    """The conf by which a MERGE adds no columns; None leaves it to the caller's session."""
    return {AUTO_MERGE: "false"} if evolve_schema is False else {}


def has_been_executed(txn: Transaction, command: JavaObject, options: JavaObject = None) -> bool:
    """Whether the idempotent transaction (txnAppId, txnVersion) is in the log.

    It is named by the session, or by the DeltaOptions of a write.
    """
    given = txn.jvm.none if options is None else txn.jvm.some(options)
    return bool(command.hasBeenExecuted(txn.java, txn.jvm.session, given))


def idempotency(
    txn: Transaction, command: JavaObject, options: JavaObject = None
) -> list[JavaObject]:
    """The SetTransaction action for `has_been_executed`, if one is asked for."""
    given = txn.jvm.none if options is None else txn.jvm.some(options)
    action = command.createSetTransaction(txn.jvm.session, txn.java.deltaLog(), given)
    return txn.jvm.items(action.toList())


def refuse_removals_if_append_only(txn: Transaction) -> None:
    """Raises what Delta raises where the table may only grow (delta.appendOnly)."""
    txn.jvm.module(f"{DELTA}.DeltaLog").assertRemovable(txn.snapshot)


def refuse_changes_since_analysis(txn: Transaction, analyzed: JavaObject) -> None:
    """Raises what Delta raises where the table is not the one that was analyzed.

    `analyzed` is its snapshot at that time, or an index of that snapshot's files. Nothing that was
    resolved against one snapshot is right for another of other columns, properties or features.
    Raises RepeatedHourError where two of its partitions are one by the session's clock.
    """
    metadata, now = analyzed.metadata(), txn.snapshot
    refuse_repeated_hours_of(txn.jvm, metadata)
    if not (now.metadata().equals(metadata) and now.protocol().equals(analyzed.protocol())):
        raise schema_changed(txn.jvm, metadata.schema(), now.schema())


def record_unseen_reads(txn: Transaction, plan: JavaObject) -> None:
    """Where the plan reads of the table what Delta does not record, any next commit is a conflict.

    Delta records what a transaction's queries scan of the table; but nothing of its change data
    feed, and with data skipping off nothing of what subqueries scan.
    """
    log = txn.java.deltaLog()
    unseen = reads_table if txn.jvm.conf(SKIPPING) == "false" else reads_changes_of
    if unseen(txn.jvm, plan, log):
        txn.java.readWholeTable()


# --- MERGE ---


def prepare_merge(txn: Transaction, command: JavaObject) -> None:
    """What Delta's MERGE does before it reads: schema evolution and identity columns."""
    migrated = optional(command.migratedSchema())
    if migrated is not None:
        _refuse_void_columns(txn.jvm, migrated)
    if command.canMergeSchema():
        metadata = txn.metadata
        command.updateMetadata(
            txn.jvm.session,
            txn.java,
            command.target().schema() if migrated is None else schema_to_grow_by(txn, migrated),
            metadata.partitionColumns(),
            metadata.configuration(),
            False,
            False,
        )
    command.checkIdentityColumnHighWaterMarks(txn.java)
    txn.java.setTrackHighWaterMarks(command.trackHighWaterMarks())


def _refuse_void_columns(jvm: Jvm, schema: JavaObject) -> None:
    """Columns without a type, where the session drops such columns from what it reads."""
    if jvm.conf("spark.databricks.delta.createDataFrame.dropNullColumns") != "true":
        return
    found = jvm.module(f"{DELTA}.schema.SchemaUtils").findNullTypeColumn(schema)
    if found.isDefined():
        errors = jvm.module(f"{DELTA}.DeltaErrors")
        raise convert_exception(errors.mergeAddVoidColumn(found.get()))


def commit_merge(
    txn: Transaction, command: JavaObject, changes: Sequence[FileChanges], values: Mapping[str, int]
) -> Commit:
    """Commit the changes as one MERGE, with Delta's metrics; nothing to do commits nothing."""
    operation = _merge_operation(txn.jvm, command)
    actions = txn.actions(changes)
    stats = txn.jvm.module(f"{DELTA}.NumRecordsStats").fromActions(actions)
    # What Delta checks the files against. Each attempt has a command of its own: others are 0.
    operation.count({name: value for name, value in values.items() if value})
    command.validateNumRecords(actions, stats, operation.java, txn.java.deltaLog())
    version = txn.commit(operation, changes, {}, idempotency(txn, command))
    return Commit(version, OperationMetrics.of_merge(values))


def _merge_operation(jvm: Jvm, command: JavaObject) -> Operation:
    predicates = jvm.module(f"{DELTA}.DeltaOperations$MergePredicate")

    def described(clauses: JavaObject) -> JavaObject:
        return jvm.seq([predicates.apply(clause) for clause in jvm.items(clauses)])

    java = jvm.module(f"{DELTA}.DeltaOperations$Merge").apply(
        jvm.some(command.condition()),
        described(command.matchedClauses()),
        described(command.notMatchedClauses()),
        described(command.notMatchedBySourceClauses()),
    )
    return Operation(java, command.metrics())


# --- DELETE and UPDATE ---


def delete_operation(jvm: Jvm, command: JavaObject) -> Operation:
    operations = jvm.module(f"{DELTA}.DeltaOperations$Delete")
    return Operation(operations.apply(command.condition().toList()), command.metrics())


def update_operation(jvm: Jvm, command: JavaObject) -> Operation:
    operations = jvm.module(f"{DELTA}.DeltaOperations$Update")
    return Operation(operations.apply(command.condition()), command.metrics())


def refuse_miscounts(
    txn: Transaction, name: str, changes: Sequence[FileChanges], *, keeps_rows: bool
) -> None:
    """Raises where the files to be committed hold other rows than a DELETE or UPDATE may leave.

    A DELETE never adds rows, an UPDATE keeps their number (validateNumRecords of the commands);
    with files without statistics there is nothing to compare.
    """
    stats = txn.jvm.module(f"{DELTA}.NumRecordsStats").fromActions(txn.actions(changes))
    added, removed = (
        optional(found)
        for found in (stats.numLogicalRecordsAdded(), stats.numLogicalRecordsRemoved())
    )
    if added is None or removed is None:
        return
    if added > removed or (keeps_rows and added != removed):
        raise EngineError(
            f"the {name} would leave {added} of {removed} rows in the files that it touches, which"
            " cannot be right; nothing was committed. Please report this."
        )
