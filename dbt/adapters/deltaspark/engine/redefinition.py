"""A table replaced whole, with definitions of its columns, in one commit.

Delta's own CREATE OR REPLACE TABLE AS takes no definitions and makes every column nullable.
"""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from .commands import (
    has_been_executed,
    idempotency,
    noted,
    refuse_removals_if_append_only,
    write_command,
    write_options,
)
from .conflicts import until_no_block_is_lost, until_no_conflict
from .definition import CLUSTERING, defined_columns, defined_fields, delta_table, with_features
from .errors import EngineError, SpecError
from .execution import shown_in_ui
from .files import Files, FileSteps, Operation
from .jvm import DELTA, Jvm, active, confs, optional
from .log import transaction
from .metrics import OperationMetrics, since
from .native import why_native
from .result import ChangePlan, MergeResult
from .spec import quoted
from .target import table_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .files import FileChanges
    from .jvm import JavaObject
    from .log import Transaction
    from .spec import WriteSpec
    from .table_state import Json

REASON = "the table is replaced whole, with definitions of its columns"


@dataclass(frozen=True, slots=True)
class Redefinition:
    """The new rows and what the table becomes, before its log is looked at."""

    jvm: Jvm
    source: DataFrame
    name: str
    spec: WriteSpec
    fields: list[Json]

    @property
    def schema(self) -> str:
        return json.dumps({"type": "struct", "fields": self.fields}, ensure_ascii=False)

    @property
    def partition_columns(self) -> list[str]:
        """As the schema spells them."""
        names = {field["name"].lower(): field["name"] for field in self.fields}
        return [names.get(name.lower(), name) for name in self.spec.partition_by]

    @property
    def properties(self) -> dict[str, str]:
        given = {key: value for key, value in self.spec.properties if key != "location"}
        return with_features(given, self.fields)

    def clustering(self) -> JavaObject:
        """An Option of Delta's ClusterBySpec."""
        if not self.spec.cluster_by:
            return self.jvm.none
        names = self.jvm.seq(map(quoted, self.spec.cluster_by))
        by = self.jvm.module(f"{CLUSTERING}.temp.ClusterBySpec").fromColumnNames(names)
        return self.jvm.some(by)


def redefine(
    source: DataFrame, name: str, spec: WriteSpec, *, conflict_retries: int = 5
) -> MergeResult:
    """Replace the table by the rows, its columns defined as `spec.columns` says, in one commit.

    Constraints are in force for these rows. Raises what Delta raises; after any error the table is
    as it was. Its history stays.
    """
    jvm = Jvm.private(source.sparkSession)
    with active(jvm), confs(jvm, noted(spec.user_metadata)):
        fields = defined_fields(jvm, name, defined_columns(jvm, source, spec))
        change = Redefinition(jvm, source, name, spec, fields)
        result, failed = until_no_block_is_lost(
            lambda: until_no_conflict(jvm, lambda _: _attempt(change), conflict_retries)
        )
        if result.version is not None:
            jvm.recache_table(name)
    return replace(result, retries=failed)


def _attempt(change: Redefinition) -> MergeResult:
    jvm, spec = change.jvm, change.spec
    table = delta_table(jvm, change.name)
    log, catalog_table = table.deltaLog(), table.catalogTable()
    name = table_name(catalog_table, log)
    options = write_options(jvm, _filling_missing_columns(jvm, spec))
    command = write_command(jvm, spec, change.source, table, options)
    with (
        transaction(jvm, log, catalog_table) as txn,
        shown_in_ui(jvm, command, f"REPLACE TABLE {name}"),
    ):
        if has_been_executed(txn, command, options):
            plan = ChangePlan("WRITE", "no_op", "the idempotency key is in the table's log", name)
            return MergeResult(None, "no_op", OperationMetrics(), plan)
        _refuse_what_cannot_be_replaced(change, txn)
        _take_definition(change, txn)
        once = jvm.items(idempotency(txn, command, options).toList())
        return _replaced(change, txn, options, once)


def _filling_missing_columns(jvm: Jvm, spec: WriteSpec) -> WriteSpec:
    """Columns that the new rows do not have get their default, or null."""
    missing = jvm.module(f"{DELTA}.ColumnWithDefaultExprUtils").USE_NULL_AS_DEFAULT_DELTA_OPTION()
    return replace(spec, options=(*spec.options, (missing, "true")))


def _refuse_what_cannot_be_replaced(change: Redefinition, txn: Transaction) -> None:
    """What Delta's REPLACE refuses, and tables that no transaction of the engine's can change."""
    jvm, spec = change.jvm, change.spec
    reason = why_native(txn.java.protocol(), txn.metadata.schema())
    if reason is not None:
        raise EngineError(
            f"{change.name} cannot be replaced with definitions of its columns: {reason}; nothing"
            " was written. Drop the table, or write without columns."
        )
    refuse_removals_if_append_only(txn)
    folder = txn.java.dataPath().toString()
    location = dict(spec.properties).get("location", folder)
    if _path(jvm, location) != _path(jvm, folder):
        raise SpecError(
            f"{change.name} is in {folder}, not in {location}; nothing was written. A table that is"
            " replaced stays where it is."
        )
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    if spec.partition_by and clustered.isSupported(txn.java.protocol()):
        errors = jvm.module(f"{DELTA}.DeltaErrors")
        raise convert_exception(errors.replacingClusteredTableWithPartitionedTableNotAllowed())


def _path(jvm: Jvm, text: str) -> str:
    path: str = jvm.type("org.apache.hadoop.fs.Path")(text).toUri().getPath()
    return path


def _take_definition(change: Redefinition, txn: Transaction) -> None:
    """The transaction's metadata becomes that of a new table (CreateDeltaTableCommand)."""
    jvm = change.jvm
    schema = jvm.type("org.apache.spark.sql.types.DataType").fromJson(change.schema)
    partitioning = jvm.module("org.apache.spark.sql.execution.datasources.PartitioningUtils")
    partitioning.validatePartitionColumn(schema, jvm.seq(change.partition_columns), False)
    errors = jvm.module(f"{DELTA}.DeltaErrors")
    for field in change.fields:
        if "delta.identity.step" in field["metadata"] and field["name"] in change.partition_columns:
            raise convert_exception(errors.identityColumnPartitionNotSupported(field["name"]))
    identity = jvm.module(f"{DELTA}.IdentityColumn")
    identity.blockExplicitIdentityColumnInsert(schema, jvm.analyzed(change.source))
    txn.java.updateMetadataForNewTableInReplace(_metadata(change))
    txn.java.removeExistsDefaultFromSchema()


def _metadata(change: Redefinition) -> JavaObject:
    """The Metadata action of a new table (CreateDeltaTableCommand.getProvidedMetadata)."""
    jvm, spec = change.jvm, change.spec
    configs = jvm.module(f"{DELTA}.DeltaConfigs")
    checked = configs.validateConfigurations(jvm.map(change.properties))
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    clustered.validateExistingTableFeatureProperties(checked)
    if spec.cluster_by:
        names = jvm.seq([jvm.seq([name]) for name in spec.cluster_by])
        clustered.validateNumClusteringColumns(names, jvm.none)
        checked = checked.concat(clustered.getTableFeatureProperties(checked))
    metadata = {
        "id": str(uuid.uuid4()),
        "description": spec.comment,
        "format": {"provider": "parquet", "options": {}},
        "schemaString": change.schema,
        "partitionColumns": change.partition_columns,
        "configuration": {pair._1(): pair._2() for pair in jvm.items(checked.toSeq())},
        "createdTime": int(time.time() * 1000),
    }
    return jvm.module(f"{DELTA}.actions.Action").fromJson(json.dumps({"metaData": metadata}))


def _replaced(
    change: Redefinition, txn: Transaction, options: JavaObject, once: list[JavaObject]
) -> MergeResult:
    """The new rows in, every old file out, one commit."""
    started = time.monotonic()
    files, whole = txn.read_files([]), txn.table_size()
    removed, written = txn.remove(files), txn.write(change.source, options)
    domains = _domains(change, txn)
    reported = _counts(removed, written)
    operation = _operation(change, txn, domains, [*reported])
    first = [*change.jvm.items(domains), *once]
    version = txn.commit(operation, [removed, written], reported, first)
    metrics = OperationMetrics.of({**reported, "executionTimeMs": since(started)})
    nothing, steps = Files(change.jvm.seq([]), 0, 0), FileSteps.of(whole, (removed, written))
    plan = ChangePlan("WRITE", "classic", REASON, change.name, whole, files, nothing, steps=steps)
    return MergeResult(version, "classic", metrics, plan)


def _domains(change: Redefinition, txn: Transaction) -> JavaObject:
    """DomainMetadata actions: the clustering, and the end of what the old table had."""
    clustered = change.jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    new = clustered.getDomainMetadataFromTransaction(change.clustering(), txn.java)
    utils = change.jvm.module(f"{DELTA}.DomainMetadataUtils")
    return utils.handleDomainMetadataForReplaceTable(txn.snapshot.domainMetadata(), new)


def _counts(removed: FileChanges, written: FileChanges) -> dict[str, int]:
    return {
        "numFiles": written.files_added,
        "numOutputBytes": written.bytes_added,
        "numOutputRows": written.rows_added or 0,
        "numRemovedFiles": removed.files_removed,
        "numRemovedBytes": removed.bytes_removed,
    }


def _operation(
    change: Redefinition, txn: Transaction, domains: JavaObject, metrics: list[str]
) -> Operation:
    """CREATE OR REPLACE TABLE AS SELECT, as Delta's own command reports it."""
    jvm, none = change.jvm, change.jvm.none
    clustered = jvm.module(f"{CLUSTERING}.ClusteredTableUtils")
    table = optional(txn.java.catalogTable())
    managed = table is not None and table.tableType().name() == "MANAGED"
    java = jvm.module(f"{DELTA}.DeltaOperations$ReplaceTable").apply(
        txn.metadata,
        managed,
        True,
        True,
        none if change.spec.user_metadata is None else jvm.some(change.spec.user_metadata),
        clustered.getLogicalClusteringColumnNames(txn.java, domains),
        *[none] * 5,
    )
    context = jvm.spark.sparkContext._jsc.sc()
    counters = jvm.type("org.apache.spark.sql.execution.metric.SQLMetrics")
    counts = {name: counters.createMetric(context, name) for name in metrics}
    return Operation(java, jvm.map(counts))
