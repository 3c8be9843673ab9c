"""What a transaction reads, adds and commits, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .jvm import JavaObject
    from .metrics import OperationMetrics


@dataclass(frozen=True, slots=True)
class Files:
    """Some AddFiles of the snapshot: how many, their bytes, and in how many partitions they are."""

    java: JavaObject
    count: int
    bytes: int
    partitions: int = 0


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
class TrackingColumn:
    """A column of data files that is not the table's; its metadata tells Delta's writer so."""

    name: str
    metadata: str
    """As JSON."""


@dataclass(frozen=True, slots=True)
class Tracking:
    """Where data files keep a row's id, and the version that last changed the row."""

    row_id: TrackingColumn
    commit_version: TrackingColumn


@dataclass(frozen=True, slots=True)
class Commit:
    """The version that a commit made, None where there was nothing to commit, and its metrics."""

    version: int | None
    metrics: OperationMetrics
