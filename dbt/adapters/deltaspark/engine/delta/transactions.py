"""Delta's log through the JVM: one transaction with its snapshot, files, writes and commit.

Everything protocol-level stays Delta's: statistics, constraints, column mapping, deletion vector
bitmaps, the conflict check, checkpoints. What many changes need of a transaction is here; what one
alone needs, it calls itself, of `Transaction.java`. A call that leaves something in the transaction
for the commit: see that `rebase.py` carries it over, or refuses to rebase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .checksum import Checksum
from .commit_checks import check_commit, refuse_another_table
from .commit_outcome import committed
from .data_skipping import read_files
from .faults import naming_faults
from .files import FileChanges, Files, TableSize, Tracking, TrackingColumn
from .jvm import CATALYST, DELTA, JavaObject, Jvm, confs, optional, restoring
from .padded_partitions import on_padded_partitions
from .rebase import until_rebased
from .repeated_hours import refuse_repeated_hours_of
from .scans import batch_index, has_row_index, scanned, vector_helper

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .data_skipping import MayHold
    from .files import Operation


FILES_READ_WITHOUT_CODE = 1000


@dataclass(frozen=True)
class Transaction:
    """One OptimisticTransaction; while it is open, scans of its table see its snapshot."""

    jvm: Jvm
    java: JavaObject

    @contextmanager
    def active_here(self) -> Iterator[None]:
        """Delta's active transaction of this thread, whichever thread it is.

        Every query that is planned here reads the table in this snapshot, and is recorded as read.
        """
        active = self.jvm.module(f"{DELTA}.OptimisticTransaction")
        active.setActive(self.java)
        with restoring(active.clearActive):
            yield

    @cached_property
    def snapshot(self) -> JavaObject:
        return self.java.snapshot()

    @cached_property
    def checksum(self) -> Checksum:
        """What the snapshot's checksum file says, recorded nowhere as read."""
        return Checksum(self.jvm, self.snapshot)

    @property
    def metadata(self) -> JavaObject:
        return self.java.metadata()

    def partition_columns(self) -> list[str]:
        return self.jvm.items(self.metadata.partitionColumns())

    def table_size(self) -> TableSize:
        """How much the whole table holds; recorded nowhere as read."""
        return self.checksum.table_size

    def read_files(
        self, predicates: Sequence[JavaObject], may_hold: MayHold | None = None
    ) -> Files:
        """The files that may hold rows for which all predicates are true, recorded as read.

        `may_hold` tells of a file's statistics what the predicates tell by a query of the log.

        Without a recorded read a commit counts as a blind append and never conflicts
        (OptimisticTransaction.filterFiles), which would lose the guarantee against duplicates.
        """
        padded = on_padded_partitions(self.jvm, self.metadata, predicates)
        usable = [each for each in predicates if each not in padded]
        filters = self.jvm.seq(usable or [self.jvm.true()])
        with confs(self.jvm, self._reading_of_the_log()):
            return self.files_of(read_files(self.checksum, self.java, filters, may_hold))

    def _reading_of_the_log(self) -> dict[str, str]:
        """To generate and compile code takes longer than to read a log of few files without it.

        No other job of the session may run beside it: without that code it would crawl.
        """
        size = self.checksum.recorded_size
        few = size is not None and size.files <= FILES_READ_WITHOUT_CODE
        return {"spark.sql.codegen.factoryMode": "NO_CODEGEN"} if few else {}

    def read_nothing(self) -> Files:
        """No file, recorded as a read that no row of this snapshot could change."""
        literals = self.jvm.module(f"{CATALYST}.expressions.Literal")
        self.java.trackReadPredicates(self.jvm.seq([literals.FalseLiteral()]), False, True)
        return Files(self.jvm.seq([]), 0, 0)

    def select(self, files: Files, paths: Iterable[str]) -> Files:
        """Those of the files whose URL-encoded path is among the paths."""
        helper, folder = vector_helper(self.jvm), self.java.deltaLog().dataPath()
        known = helper.generateCandidateFileMap(folder, files.java)
        found = [helper.getTouchedFile(folder, path, known) for path in paths]
        return self.files_of(self.jvm.seq(found))

    def without(self, files: Files, others: Files) -> Files:
        """Those of the files that are not among the others."""
        return self.files_of(files.java.diff(others.java))

    def logical_rows(self, files: Files) -> int | None:
        """Rows of the files without the deleted ones; None where statistics are missing."""
        rows: int | None = optional(self._row_counts(files).numLogicalRecordsAdded())
        return rows

    def has_vectors(self, files: Files) -> bool:
        """Whether a deletion vector takes rows out of any of the files."""
        return bool(self._row_counts(files).numDeletionVectorRecordsAdded())

    def _row_counts(self, files: Files) -> JavaObject:
        return self.jvm.module(f"{DELTA}.NumRecordsStats").fromActions(files.java)

    def with_statistics(self, files: Files) -> Files:
        """The same files as they are in the log: those of a scan have lost most statistics."""
        paths = [file.path() for file in self.jvm.items(files.java)]
        if self.checksum.files is not None:
            return self.select(self.files_of(self.checksum.files), paths)
        return self.files_of(self.snapshot.getSpecificFilesWithStats(self.jvm.seq(paths)))

    def count_vectors(self) -> None:
        """Make Delta count the table's vectors now, where the checksum of the next commit needs it.

        It does after vectors were enabled on a table (Checksum.computeNewChecksum).
        """
        if not self.checksum.counts_vectors:
            self.snapshot.numDeletedRecordsOpt()

    def writes_vectors(self, verb: str = "MERGE") -> bool:
        """Whether a MERGE, DELETE or UPDATE marks rows (shouldWritePersistentDeletionVectors)."""
        vectors = self.jvm.module(f"{DELTA}.commands.DeletionVectorUtils")
        key = f"spark.databricks.delta.{verb.lower()}.deletionVectors.persistent"
        wanted = self.jvm.conf(key) == "true"
        none = self.jvm.none
        return wanted and bool(vectors.deletionVectorsWritable(self.snapshot, none, none))

    def has_row_index(self) -> bool:
        """Whether `_metadata.row_index` can be selected."""
        return has_row_index(self.jvm, self.java.protocol())

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

    def write(
        self, frame: DataFrame, options: JavaObject = None, constraints: Sequence[JavaObject] = ()
    ) -> FileChanges:
        """New data files with the rows; constraints, statistics and physical names are Delta's.

        Rows with a `_change_type` go to files of the change data feed. `options` are DeltaOptions;
        the constraints hold beside the table's own.
        """
        refuse_repeated_hours_of(self.jvm, self.metadata)
        given = self.jvm.none if options is None else self.jvm.some(options)
        return self._added(self.java.writeFiles(frame._jdf, given, self.jvm.seq(constraints)))

    def remove(self, files: Files, *, rewritten: bool = False) -> FileChanges:
        """The files as removed, whole; `rewritten` says that some of their rows were copied."""
        removed = self.jvm.seq([file.remove() for file in self.jvm.items(files.java)])
        return FileChanges(
            actions=removed,
            files_removed=files.count,
            files_rewritten=files.count if rewritten else 0,
            bytes_removed=files.bytes,
            partitions_removed_from=files.partitions,
            vectors_removed=self.files_with_vectors(files),
        )

    def commit(
        self,
        operation: Operation,
        changes: Sequence[FileChanges],
        values: Mapping[str, int],
        first: Sequence[JavaObject] = (),
    ) -> int | None:
        """Commit the actions in `first` and the changes, once; None where there was no action.

        Where another commit came first that changed nothing of what was read, on top of that.
        Raises what the block around it does not let pass (`before_each_commit`).
        """
        refuse_another_table(self.jvm, self.java)
        check_commit(self.java)
        actions = self.actions(changes, first)
        operation.count(values)
        tracking = self.jvm.module(f"{DELTA}.RowTracking")

        def on(java: JavaObject) -> int | None:
            java.registerSQLMetrics(self.jvm.session, operation.metrics)
            tags = tracking.addPreservedRowTrackingTagIfNotSet(java.snapshot(), self.jvm.map({}))
            return committed(self.jvm, java, actions, operation.java, tags)

        return until_rebased(self.jvm, self.java, actions, on)

    def actions(
        self, changes: Sequence[FileChanges], first: Sequence[JavaObject] = ()
    ) -> JavaObject:
        """All the actions as one Seq."""
        actions = self.jvm.seq(first)
        for change in changes:
            actions = actions.appendedAll(change.actions)
        return actions

    def rows_of(self, plan: JavaObject, files: Files) -> DataFrame:
        """The target's plan read from these files only, under the attributes that it has.

        `_metadata` is at hand also where a CHAR column is padded on top of the scan, and what row
        tracking knows of the rows, where it is on.
        """
        frame = scanned(self.jvm, plan, batch_index(self.jvm, files.java, self.snapshot))
        return frame if self.tracking() is None else self.with_tracking(frame)

    def files_of(self, files: JavaObject) -> Files:
        return Files.of(self.jvm, files)

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
        """How many of the files have a deletion vector."""
        if not self.has_vectors(files):
            return 0
        return sum(file.deletionVector() is not None for file in self.jvm.items(files.java))


@contextmanager
def transaction(jvm: Jvm, log: JavaObject, catalog_table: JavaObject) -> Iterator[Transaction]:
    """A transaction on the newest snapshot of the log's table, active on this thread.

    `catalog_table` is a Scala Option of the table's entry in the catalog.
    """
    txn = Transaction(jvm, log.startTransaction(catalog_table, jvm.none))
    with txn.active_here(), naming_faults(log.dataPath().toString()):
        yield txn
