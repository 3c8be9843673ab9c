"""Delta's log through the JVM: one transaction with its snapshot, files, writes and commit.

Everything protocol-level stays Delta's: statistics, constraints, column mapping, deletion vector
bitmaps, the conflict check, checkpoints. This module is where the engine touches it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.errors.exceptions.captured import convert_exception

from .files import Commit, FileChanges, Files, TableSize, Tracking, TrackingColumn
from .jvm import CATALYST, DELTA, JavaObject, Jvm, optional, schema_changed
from .metrics import OperationMetrics

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True, slots=True)
class Transaction:
    """One OptimisticTransaction; while it is open, scans of its table see its snapshot."""

    jvm: Jvm
    java: JavaObject

    @property
    def snapshot(self) -> JavaObject:
        return self.java.snapshot()

    @property
    def metadata(self) -> JavaObject:
        return self.java.metadata()

    def partition_columns(self) -> list[str]:
        return self.jvm.items(self.metadata.partitionColumns())

    def table_size(self) -> TableSize:
        """How much the whole table holds; recorded nowhere as read.

        Where the version has a checksum file it says so; else Delta counts, in a Spark job.
        """
        checksum = optional(self.snapshot.checksumOpt())
        if checksum is not None:
            return TableSize(checksum.numFiles(), checksum.tableSizeBytes())
        return TableSize(self.snapshot.numOfFiles(), self.snapshot.sizeInBytes())

    def read_files(self, predicates: Sequence[JavaObject]) -> Files:
        """The files that may hold rows for which all predicates are true, recorded as read.

        Without a recorded read a commit counts as a blind append and never conflicts
        (OptimisticTransaction.filterFiles), which would lose the guarantee against duplicates.
        """
        filters = list(predicates) or [self.true()]
        return self.files_of(self.java.filterFiles(self.jvm.seq(filters), True))

    def read_nothing(self) -> Files:
        """No file, recorded as a read that no row of this snapshot could change."""
        literals = self.jvm.module(f"{CATALYST}.expressions.Literal")
        self.java.trackReadPredicates(self.jvm.seq([literals.FalseLiteral()]), False, True)
        return Files(self.jvm.seq([]), 0, 0)

    def select(self, files: Files, paths: Iterable[str]) -> Files:
        """Those of the files whose URL-encoded path is among the paths."""
        helper, folder = self.vector_helper(), self.java.deltaLog().dataPath()
        known = helper.generateCandidateFileMap(folder, files.java)
        found = [helper.getTouchedFile(folder, path, known) for path in paths]
        return self.files_of(self.jvm.seq(found))

    def logical_rows(self, files: Files) -> int | None:
        """Rows of the files without the deleted ones; None where statistics are missing."""
        stats = self.jvm.module(f"{DELTA}.NumRecordsStats").fromActions(files.java)
        rows: int | None = optional(stats.numLogicalRecordsAdded())
        return rows

    def writes_vectors(self) -> bool:
        """Whether a merge marks rows (MergeIntoCommand.shouldWritePersistentDeletionVectors)."""
        vectors = self.jvm.module(f"{DELTA}.commands.DeletionVectorUtils")
        wanted = self.jvm.conf("spark.databricks.delta.merge.deletionVectors.persistent") == "true"
        none = self.jvm.none
        return wanted and bool(vectors.deletionVectorsWritable(self.snapshot, none, none))

    def has_row_index(self) -> bool:
        """Whether `_metadata.row_index` can be selected: the protocol must know vectors."""
        feature = self.jvm.module(f"{DELTA}.DeletionVectorsTableFeature")
        return bool(self.java.protocol().isFeatureSupported(feature))

    def records_changes(self) -> bool:
        """Whether the table's change data feed is on (delta.enableChangeDataFeed)."""
        feed = self.jvm.module(f"{DELTA}.DeltaConfigs").CHANGE_DATA_FEED()
        return bool(feed.fromMetaData(self.metadata))

    def tracking(self) -> Tracking | None:
        """The columns that row tracking keeps in data files; None where it is off."""
        row_id = self._tracking_column("RowId")
        version = self._tracking_column("RowCommitVersion")
        return None if row_id is None or version is None else Tracking(row_id, version)

    def _tracking_column(self, kind: str) -> TrackingColumn | None:
        materialized = self.jvm.module(f"{DELTA}.Materialized{kind}")
        name = optional(materialized.getMaterializedColumnName(self.java.protocol(), self.metadata))
        if name is None:
            return None
        reserved_id = self.jvm.module(f"{DELTA}.IcebergCompat").isGeqEnabled(self.metadata, 3)
        metadata = self.jvm.module(f"{DELTA}.{kind}").columnMetadata(name, reserved_id)
        return TrackingColumn(name, metadata.json())

    def with_tracking(self, frame: DataFrame) -> DataFrame:
        """The scan with the columns of `tracking`, as Delta's writer knows them again."""
        tracking = self.jvm.module(f"{DELTA}.RowTracking")
        java = tracking.preserveRowTrackingColumns(frame._jdf, self.snapshot)
        return type(frame)(java, self.jvm.spark)

    def repartitions_before_write(self) -> bool:
        """Whether a merge shuffles rows by partition first; optimized writes do that themselves."""
        key = "spark.databricks.delta.merge.repartitionBeforeWrite.enabled"
        if self.jvm.conf(key) != "true":
            return False
        writing = self.jvm.module(f"{DELTA}.files.TransactionalWrite")
        conf = self.jvm.session.sessionState().conf()
        return not writing.shouldOptimizeWrite(self.metadata, conf)

    def write(self, frame: DataFrame) -> FileChanges:
        """New data files with the rows; constraints, statistics and physical names are Delta's.

        Rows with a `_change_type` go to files of the change data feed.
        """
        return self._added(self.java.writeFiles(frame._jdf))

    def remove(self, files: Files) -> FileChanges:
        """The files as removed, whole."""
        removed = self.jvm.seq([file.remove() for file in self.jvm.items(files.java)])
        return FileChanges(
            actions=removed,
            files_removed=files.count,
            bytes_removed=files.bytes,
            partitions_removed_from=files.partitions,
            vectors_removed=self.files_with_vectors(files),
        )

    def commit(
        self, command: JavaObject, changes: Sequence[FileChanges], values: Mapping[str, int]
    ) -> Commit:
        """Commit the changes as one MERGE, with Delta's metrics; nothing to do commits nothing."""
        executed = command.createSetTransaction(
            self.jvm.session, self.java.deltaLog(), self.jvm.none
        )
        actions = executed.toList()
        for change in changes:
            actions = actions.appendedAll(change.actions)
        operation = self._merge_operation(command)
        stats = self.jvm.module(f"{DELTA}.NumRecordsStats").fromActions(actions)
        command.validateNumRecords(actions, stats, operation, self.java.deltaLog())
        metrics = command.metrics()
        for name, value in values.items():
            metrics.apply(name).set(value)
        self.java.registerSQLMetrics(self.jvm.session, metrics)
        tracking = self.jvm.module(f"{DELTA}.RowTracking")
        tags = tracking.addPreservedRowTrackingTagIfNotSet(self.snapshot, self.jvm.map({}))
        version: int | None = optional(self.java.commitIfNeeded(actions, operation, tags))
        return Commit(version, OperationMetrics.of_merge(values))

    def prepare(self, command: JavaObject) -> None:
        """What Delta's MERGE does before it reads: schema evolution and identity columns."""
        migrated = optional(command.migratedSchema())
        if migrated is not None:
            self._refuse_void_columns(migrated)
        if command.canMergeSchema():
            metadata = self.metadata
            command.updateMetadata(
                self.jvm.session,
                self.java,
                command.target().schema() if migrated is None else migrated,
                metadata.partitionColumns(),
                metadata.configuration(),
                False,
                False,
            )
        command.checkIdentityColumnHighWaterMarks(self.java)
        self.java.setTrackHighWaterMarks(command.trackHighWaterMarks())

    def _refuse_void_columns(self, schema: JavaObject) -> None:
        """Columns without a type, where the session drops such columns from what it reads."""
        key = "spark.databricks.delta.createDataFrame.dropNullColumns"
        if self.jvm.conf(key) != "true":
            return
        found = self.jvm.module(f"{DELTA}.schema.SchemaUtils").findNullTypeColumn(schema)
        if found.isDefined():
            errors = self.jvm.module(f"{DELTA}.DeltaErrors")
            raise convert_exception(errors.mergeAddVoidColumn(found.get()))

    def has_been_executed(self, command: JavaObject) -> bool:
        """Whether the session's idempotent transaction (txnAppId, txnVersion) is in the log."""
        return bool(command.hasBeenExecuted(self.java, self.jvm.session, self.jvm.none))

    def refuse_changes_since_analysis(self, command: JavaObject) -> None:
        """Raises what Delta raises where the table is not the one that was analyzed."""
        analyzed = command.targetFileIndex().metadata()
        if not self.metadata.equals(analyzed):
            raise schema_changed(self.jvm, analyzed.schema(), self.metadata.schema())

    def _merge_operation(self, command: JavaObject) -> JavaObject:
        predicates = self.jvm.module(f"{DELTA}.DeltaOperations$MergePredicate")

        def described(clauses: JavaObject) -> JavaObject:
            return self.jvm.seq([predicates.apply(clause) for clause in self.jvm.items(clauses)])

        return self.jvm.module(f"{DELTA}.DeltaOperations$Merge").apply(
            self.jvm.some(command.condition()),
            described(command.matchedClauses()),
            described(command.notMatchedClauses()),
            described(command.notMatchedBySourceClauses()),
        )

    def files_of(self, files: JavaObject) -> Files:
        base = self.jvm.module(f"{DELTA}.commands.MergeIntoCommandBase")
        size = base.totalBytesAndDistinctPartitionValues(files)
        return Files(files, files.size(), size._1(), size._2())

    def _added(self, written: JavaObject) -> FileChanges:
        stats = self.jvm.module(f"{DELTA}.NumRecordsStats").fromActions(written)
        added = self.files_of(written)
        changes = self._change_files(written) if self.records_changes() else []
        return FileChanges(
            actions=written,
            files_added=added.count - len(changes),
            bytes_added=added.bytes,
            partitions_added_to=added.partitions,
            rows_added=optional(stats.numLogicalRecordsAdded()),
            change_files_added=len(changes),
            change_bytes_added=sum(file.size() for file in changes),
        )

    def _change_files(self, written: JavaObject) -> list[JavaObject]:
        kind = f"{DELTA}.actions.AddCDCFile"
        return [file for file in self.jvm.items(written) if self.jvm.is_a(file, kind)]

    def files_with_vectors(self, files: Files) -> int:
        return sum(file.deletionVector() is not None for file in self.jvm.items(files.java))

    def vector_helper(self) -> JavaObject:
        return self.jvm.module(f"{DELTA}.commands.DMLWithDeletionVectorsHelper")

    def true(self) -> JavaObject:
        return self.jvm.module(f"{CATALYST}.expressions.Literal").TrueLiteral()


@contextmanager
def transaction(jvm: Jvm, command: JavaObject) -> Iterator[Transaction]:
    """A transaction on the newest snapshot of the command's target, active on this thread."""
    log = command.targetFileIndex().deltaLog()
    active = jvm.module(f"{DELTA}.OptimisticTransaction")
    java = log.startTransaction(command.catalogTable(), jvm.none)
    active.setActive(java)
    try:
        yield Transaction(jvm, java)
    finally:
        active.clearActive()
