"""What a version's checksum file says of it (VersionChecksum), which takes no Spark job to know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from .files import Files, TableSize
from .jvm import DELTA, optional

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm


def _checksum(snapshot: JavaObject) -> JavaObject | None:
    return optional(snapshot.checksumOpt())


def recorded_size(snapshot: JavaObject) -> TableSize | None:
    """How much the whole table holds; None where the version has no checksum file."""
    checksum = _checksum(snapshot)
    return None if checksum is None else TableSize(checksum.numFiles(), checksum.tableSizeBytes())


def table_size(snapshot: JavaObject) -> TableSize:
    """The same; where the checksum does not say it Delta counts, in a Spark job."""
    if snapshot.version() < 0:
        return TableSize(0, 0)
    return recorded_size(snapshot) or TableSize(snapshot.numOfFiles(), snapshot.sizeInBytes())


def domains_of(jvm: Jvm, snapshot: JavaObject) -> JavaObject:
    """Its DomainMetadata actions as a Seq; where the checksum does not list them Delta looks, in a
    Spark job.
    """
    if snapshot.version() < 0:
        return jvm.seq([])
    checksum = _checksum(snapshot)
    recorded = None if checksum is None else optional(checksum.domainMetadata())
    return snapshot.domainMetadata() if recorded is None else recorded


def counts_vectors(snapshot: JavaObject) -> bool:
    """Whether the rows that vectors take out are counted there."""
    checksum = _checksum(snapshot)
    return checksum is not None and checksum.numDeletedRecordsOpt().isDefined()


def table_rows(jvm: Jvm, snapshot: JavaObject) -> int | None:
    """Rows of the whole table, without those that vectors take out.

    In a Spark job where the checksum does not list the files. None where the statistics of a file
    do not have them.
    """
    if snapshot.version() < 0:
        return 0
    if (listed := recorded_files(jvm, snapshot)) is not None:
        counts = jvm.module(f"{DELTA}.NumRecordsStats").fromActions(listed)
        rows: int | None = optional(counts.numLogicalRecordsAdded())
        return rows
    recorded = F.get_json_object("stats", "$.numRecords").cast("bigint")
    left = recorded - F.coalesce("deletionVector.cardinality", F.lit(0))
    files = DataFrame(snapshot.allFiles().toDF(), jvm.spark)
    found = files.select(F.sum(left), F.count(left) == F.count("*")).first()
    assert found is not None
    return (found[0] or 0) if found[1] else None


def vector_count(snapshot: JavaObject) -> int | None:
    """Files of which a vector takes rows out; None where the checksum does not tell."""
    checksum = _checksum(snapshot)
    return None if checksum is None else optional(checksum.numDeletionVectorsOpt())


def recorded_files(jvm: Jvm, snapshot: JavaObject) -> JavaObject | None:
    """All AddFiles of the version as they are in the log, where they are there: mostly up to 50.

    None where the list does not add up to what else the checksum says, or Delta itself would doubt
    it, as it does outside of UTC (Snapshot.allFilesInCrcVerificationForceEnabled).
    """
    checksum = _checksum(snapshot)
    if checksum is None:
        return None
    files = optional(checksum.allFiles())
    if files is None or _size_of(jvm, files) != recorded_size(snapshot):
        return None
    doubted = jvm.module(f"{DELTA}.Snapshot").allFilesInCrcVerificationForceEnabled(jvm.session)
    return None if doubted else files


def _size_of(jvm: Jvm, java: JavaObject) -> TableSize:
    files = Files.of(jvm, java)
    return TableSize(files.count, files.bytes)
