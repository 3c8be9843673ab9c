"""What a transaction reads, changes and commits, as values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F

from .jvm import DELTA

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..metrics import OperationMetrics
    from .jvm import JavaObject, Jvm


@dataclass(frozen=True, slots=True)
class Files:
    """Some AddFiles of the snapshot: how many, their bytes, and in how many partitions they are."""

    java: JavaObject
    count: int
    bytes: int
    partitions: int = 0

    @classmethod
    def of(cls, jvm: Jvm, java: JavaObject) -> Files:
        """These AddFiles, a Scala Seq."""
        base = jvm.module(f"{DELTA}.commands.MergeIntoCommandBase")
        size = base.totalBytesAndDistinctPartitionValues(java)
        return cls(java, java.size(), size._1(), size._2())


@dataclass(frozen=True, slots=True)
class TableSize:
    """Files of a snapshot and their bytes."""

    files: int
    bytes: int


@dataclass(frozen=True, slots=True)
class FileChanges:
    """Actions that belong in one commit, and what they amount to."""

    actions: JavaObject
    files_added: int = 0
    bytes_added: int = 0
    partitions_added_to: int = 0
    files_removed: int = 0
    files_rewritten: int = 0
    """Those of the removed files whose other rows were copied."""
    bytes_removed: int = 0
    partitions_removed_from: int = 0
    rows_added: int | None = 0
    change_files_added: int = 0
    change_bytes_added: int = 0
    vectors_added: int = 0
    vectors_removed: int = 0
    vectors_updated: int = 0
    rows_marked: int = 0


@dataclass(frozen=True, slots=True)
class FileSteps:
    """How many of the table's files a commit keeps, gives a vector, rewrites, removes whole.

    Every file that the table had is one of these.
    """

    kept: int
    marked: int
    rewritten: int
    removed: int

    @classmethod
    def of(cls, whole: TableSize, changes: Iterable[FileChanges]) -> FileSteps:
        each = tuple(changes)
        marked = sum(change.vectors_added + change.vectors_updated for change in each)
        gone = sum(change.files_removed for change in each)
        rewritten = sum(change.files_rewritten for change in each)
        return cls(whole.files - marked - gone, marked, rewritten, gone - rewritten)

    def __str__(self) -> str:
        return (
            f"{self.kept:,} kept, {self.marked:,} given a vector, {self.rewritten:,} rewritten,"
            f" {self.removed:,} removed whole"
        )


@dataclass(frozen=True, slots=True)
class Operation:
    """What a commit is called in the history, and the metrics by name that it can report."""

    java: JavaObject
    metrics: JavaObject

    def count(self, values: Mapping[str, int]) -> None:
        """Set the metrics of these names."""
        for name, value in values.items():
            self.metrics.apply(name).set(value)


@dataclass(frozen=True, slots=True)
class TrackingColumn:
    """A column of data files that is not the table's; its metadata tells Delta's writer so."""

    name: str
    metadata: str
    """As JSON."""

    @property
    def known(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.metadata)
        return found


@dataclass(frozen=True, slots=True)
class Tracking:
    """Where data files keep a row's id, and the version that last changed the row."""

    row_id: TrackingColumn
    commit_version: TrackingColumn

    def columns(self, *, copied: Column | None = None) -> list[Column]:
        """Both of a row that is written: its id, and its version where the row is only copied."""
        version = F.lit(None).cast("bigint")
        if copied is not None:
            version = F.when(copied, F.col(self.commit_version.name))
        return [
            F.col(self.row_id.name).alias(self.row_id.name, metadata=self.row_id.known),
            version.alias(self.commit_version.name, metadata=self.commit_version.known),
        ]


UNKNOWN_VERSION = -1
"""The version of a commit that cannot be told from other writers' commits beside it."""


@dataclass(frozen=True, slots=True)
class Commit:
    """The version that a commit made, None where there was nothing to commit, and its metrics."""

    version: int | None
    metrics: OperationMetrics
