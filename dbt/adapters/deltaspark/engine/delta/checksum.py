"""What a version's checksum file says of it (VersionChecksum), which takes no Spark job to know."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .files import Files, TableSize
from .jvm import DELTA, JavaObject, Jvm, optional


@dataclass(frozen=True)
class Checksum:
    """Of a snapshot, which never changes: what a merge asks for several times is remembered."""

    jvm: Jvm
    snapshot: JavaObject

    @cached_property
    def _java(self) -> JavaObject | None:
        return optional(self.snapshot.checksumOpt())

    @cached_property
    def recorded_size(self) -> TableSize | None:
        """How much the whole table holds; None where the version has no checksum file."""
        java = self._java
        return None if java is None else TableSize(java.numFiles(), java.tableSizeBytes())

    @cached_property
    def table_size(self) -> TableSize:
        """The same; where the checksum does not say it Delta counts, in a Spark job."""
        if self.snapshot.version() < 0:
            return TableSize(0, 0)
        return self.recorded_size or TableSize(
            self.snapshot.numOfFiles(), self.snapshot.sizeInBytes()
        )

    @cached_property
    def files(self) -> JavaObject | None:
        """All AddFiles of the version as they are in the log, if they are there: mostly up to 50.

        None where the list does not add up to what else the checksum says, or Delta itself would
        doubt it, as it does outside of UTC (Snapshot.allFilesInCrcVerificationForceEnabled).
        """
        files = None if self._java is None else optional(self._java.allFiles())
        if files is None:
            return None
        listed = Files.of(self.jvm, files)
        if TableSize(listed.count, listed.bytes) != self.recorded_size:
            return None
        snapshots = self.jvm.module(f"{DELTA}.Snapshot")
        doubted = snapshots.allFilesInCrcVerificationForceEnabled(self.jvm.session)
        return None if doubted else files

    @cached_property
    def counts_vectors(self) -> bool:
        """Whether the rows that vectors take out are counted there."""
        return self._java is not None and bool(self._java.numDeletedRecordsOpt().isDefined())

    def vectors(self) -> int | None:
        """Files of which a vector takes rows out; None where the checksum does not tell."""
        return None if self._java is None else optional(self._java.numDeletionVectorsOpt())

    def domains(self) -> JavaObject:
        """The version's DomainMetadata actions as a Seq; where the checksum does not list them
        Delta looks, in a Spark job.
        """
        if self.snapshot.version() < 0:
            return self.jvm.seq([])
        recorded = None if self._java is None else optional(self._java.domainMetadata())
        return self.snapshot.domainMetadata() if recorded is None else recorded

    def rows(self) -> int | None:
        """Rows of the whole table, without those that vectors take out.

        In a Spark job where the checksum does not list the files. None where the statistics of a
        file do not have them.
        """
        if self.snapshot.version() < 0:
            return 0
        if self.files is not None:
            counts = self.jvm.module(f"{DELTA}.NumRecordsStats").fromActions(self.files)
            rows: int | None = optional(counts.numLogicalRecordsAdded())
            return rows
        recorded = F.get_json_object("stats", "$.numRecords").cast("bigint")
        left = recorded - F.coalesce("deletionVector.cardinality", F.lit(0))
        files = DataFrame(self.snapshot.allFiles().toDF(), self.jvm.spark)
        found = files.select(F.sum(left), F.count(left) == F.count("*")).first()
        assert found is not None
        return (found[0] or 0) if found[1] else None


def record_no_files(jvm: Jvm, empty: JavaObject) -> None:
    """Give the snapshot of a log without a version a checksum, which lists its files: none.

    Delta's first commit would find that out by a job (RecordChecksum.incrementallyComputeAddFiles),
    which takes as long as to write a few rows.
    """
    checksum = empty.computeChecksum()
    _set(checksum.getClass(), "allFiles", checksum, jvm.some(jvm.seq([])))
    _set(empty.getClass().getSuperclass(), "checksumOpt", empty, jvm.some(checksum))


def _set(java_class: JavaObject, name: str, value_of: JavaObject, value: JavaObject) -> None:
    field = java_class.getDeclaredField(name)
    field.setAccessible(True)
    field.set(value_of, value)
