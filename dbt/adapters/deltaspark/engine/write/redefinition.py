"""A table replaced whole, in one commit: its rows, and what it is."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from ..definition import CLUSTERING, delta_table
from ..delta import (
    DELTA,
    Files,
    FileSteps,
    Jvm,
    active,
    confs,
    has_been_executed,
    idempotency,
    noted,
    optional,
    reads_other_columns,
    record_unseen_reads,
    refuse_native,
    refuse_removals_if_append_only,
    shown_in_ui,
    table_name,
    transaction,
    why_native,
)
from ..errors import EngineError, SourceReadsTargetError, SpecError
from ..metrics import OperationMetrics, since
from ..plan import ChangePlan
from ..result import MergeResult, until_committed
from .new_table import (
    NewTable,
    clustered_by,
    counts_of,
    definition_of,
    layout_of,
    with_dependencies,
)
from .place import qualified
from .write_rules import (
    counted,
    filling_missing_columns,
    refuse_missing_partition_columns,
    write_command,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..delta import FileChanges, JavaObject, Operation, Transaction
    from ..spec import WriteSpec

REASON = "the table is replaced whole"
WITH_COLUMNS = f"{REASON}, with definitions of its columns"


def redefined_here(spark: SparkSession, name: str, spec: WriteSpec) -> JavaObject | None:
    """The table, where the engine's own transaction replaces it and no columns are defined.

    None where Delta's command does: the table, or what is said of it, is out of the ordinary.
    """
    if spec.columns or spec.options or spec.location is not None:
        return None
    jvm = Jvm(spark)
    with active(jvm):
        try:
            table = delta_table(jvm, name)
        except SpecError:
            return None
        return table if why_native(table.initialSnapshot()) is None else None


def redefine(
    source: DataFrame,
    name: str,
    spec: WriteSpec,
    *,
    conflict_retries: int = 5,
    found: JavaObject | None = None,
) -> MergeResult:
    """Replace the table by the rows, its columns as `spec.columns` defines them, in one commit.

    `found`: what its name has just been resolved to, so that the catalog is not asked once more.
    Constraints are in force for these rows. Raises what Delta raises; after any error the table is
    as it was. Its history stays.
    """
    jvm = Jvm.private(source.sparkSession)
    known = [] if found is None else [found]

    def attempt(_: object) -> MergeResult:
        return _attempt(change, known.pop() if known else delta_table(jvm, name))

    with active(jvm), confs(jvm, noted(spec.user_metadata)):
        change = NewTable.of(jvm, source, name, spec)
        result = until_committed(jvm, attempt, conflict_retries)
        if result.version is not None:
            jvm.recache_table(name)
    return result


def _attempt(change: NewTable, table: JavaObject) -> MergeResult:
    jvm, spec = change.jvm, change.spec
    log, catalog_table = table.deltaLog(), table.catalogTable()
    name = table_name(catalog_table, log)
    command = write_command(jvm, filling_missing_columns(jvm, spec), change.source, table)
    with (
        transaction(jvm, log, catalog_table) as txn,
        shown_in_ui(jvm, command.java, f"REPLACE TABLE {name}"),
    ):
        record_unseen_reads(txn, jvm.analyzed(change.source))
        if reads_other_columns(jvm, jvm.analyzed(change.source), txn.snapshot):
            raise SourceReadsTargetError()
        if has_been_executed(txn, command.java, command.options):
            plan = ChangePlan("WRITE", "no_op", "the idempotency key is in the table's log", name)
            return MergeResult.nothing(plan)
        _refuse_what_cannot_be_replaced(change, txn)
        definition = with_dependencies(txn, definition_of(change))
        txn.java.updateMetadataForNewTableInReplace(definition)
        txn.java.removeExistsDefaultFromSchema()
        refuse_missing_partition_columns(txn, change.source)
        once = idempotency(txn, command.java, command.options)
        return _replaced(change, txn, command.options, once)


def _refuse_what_cannot_be_replaced(change: NewTable, txn: Transaction) -> None:
    """What Delta's REPLACE refuses, and tables that no transaction of the engine's can change."""
    jvm, spec = change.jvm, change.spec
    if not spec.columns:
        refuse_native(txn.java, change.name)
    reason = why_native(txn.java)
    if reason is not None:
        raise EngineError(
            f"{change.name} cannot be replaced with definitions of its columns: {reason}; nothing"
            " was written. Drop the table, or write without columns."
        )
    refuse_removals_if_append_only(txn)
    folder = txn.java.dataPath().toString()
    given = spec.location
    if given is not None and _path(jvm, qualified(jvm, given).getPath()) != _path(jvm, folder):
        raise SpecError(
            f"{change.name} is in {folder}, not in {given}; nothing was written. A table that is"
            " replaced stays where it is."
        )
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    if spec.partition_by and clustered.isSupported(txn.java.protocol()):
        errors = jvm.module(f"{DELTA}.DeltaErrors")
        raise convert_exception(errors.replacingClusteredTableWithPartitionedTableNotAllowed())


def _path(jvm: Jvm, text: str) -> str:
    path: str = jvm.type("org.apache.hadoop.fs.Path")(text).toUri().getPath()
    return path


def _replaced(
    change: NewTable, txn: Transaction, options: JavaObject, once: list[JavaObject]
) -> MergeResult:
    """The new rows in, every old file out, one commit."""
    started = time.monotonic()
    files, whole = txn.read_files([]), txn.table_size()
    removed, written = txn.remove(files), txn.write(change.rows_for(txn), options)
    domains = _domains(change, txn)
    reported = _counts(removed, written)
    operation = _operation(change, txn, domains, [*reported])
    first = [*change.jvm.items(domains), *once]
    version = txn.commit(operation, [removed, written], reported, first)
    metrics = OperationMetrics.of({**reported, "executionTimeMs": since(started)})
    nothing, steps = Files(change.jvm.seq([]), 0, 0), FileSteps.of(whole, (removed, written))
    why = WITH_COLUMNS if change.spec.columns else REASON
    plan = ChangePlan("WRITE", "classic", why, change.name, whole, files, nothing, steps=steps)
    return MergeResult(version, "classic", metrics, plan)


def _domains(change: NewTable, txn: Transaction) -> JavaObject:
    """DomainMetadata actions: the clustering, and the end of what the old table had."""
    new = layout_of(change, txn)
    utils = change.jvm.module(f"{DELTA}.DomainMetadataUtils")
    old = txn.checksum.domains()
    return utils.handleDomainMetadataForReplaceTable(old, new)


def _counts(removed: FileChanges, written: FileChanges) -> dict[str, int]:
    return {
        **counts_of(written),
        "numRemovedFiles": removed.files_removed,
        "numRemovedBytes": removed.bytes_removed,
    }


def _operation(
    change: NewTable, txn: Transaction, domains: JavaObject, metrics: list[str]
) -> Operation:
    """CREATE OR REPLACE TABLE AS SELECT, as Delta's own command reports it."""
    jvm, none = change.jvm, change.jvm.none
    table = optional(txn.java.catalogTable())
    managed = table is not None and table.tableType().name() == "MANAGED"
    java = jvm.module(f"{DELTA}.DeltaOperations$ReplaceTable").apply(
        txn.metadata,
        managed,
        True,
        True,
        none if change.spec.user_metadata is None else jvm.some(change.spec.user_metadata),
        clustered_by(change, txn, domains),
        *[none] * 5,
    )
    return counted(jvm, java, metrics)
