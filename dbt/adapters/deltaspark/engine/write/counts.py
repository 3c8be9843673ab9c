"""What a write did, under the names of Delta's metrics, and what its commit says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..change import Taken
    from ..delta import FileChanges
    from ..spec import WriteSpec


def counted(taken: Taken, written: FileChanges) -> dict[str, int]:
    """Counts and bytes, under the names of Delta's own metrics of writes."""
    changes = (*taken.changes, written)
    return {
        "numFiles": sum(change.files_added for change in changes),
        "numOutputBytes": sum(change.bytes_added for change in changes),
        "numOutputRows": (written.rows_added or 0) + taken.copied,
        "numCopiedRows": taken.copied,
        "numDeletedRows": taken.rows or 0,
        "numRemovedFiles": sum(change.files_removed for change in changes),
        "numRemovedBytes": sum(change.bytes_removed for change in changes),
        "numAddedChangeFiles": sum(change.change_files_added for change in changes),
        "numDeletionVectorsAdded": sum(change.vectors_added for change in changes),
        "numDeletionVectorsRemoved": sum(change.vectors_removed for change in changes),
        "numDeletionVectorsUpdated": sum(change.vectors_updated for change in changes),
    }


def reported(spec: WriteSpec) -> tuple[str, ...]:
    """What the commit says (DeltaOperationMetrics).

    Also of the new files: Delta's file writer counts one that it leaves out, for it has no rows.
    """
    new = ("numFiles", "numOutputBytes", "numOutputRows")
    removed = ("numRemovedFiles", "numRemovedBytes")
    if spec.replaces_some:
        return (*new, *removed, "numCopiedRows", "numDeletedRows", "numAddedChangeFiles")
    return (*new, *removed) if spec.mode == "overwrite" else new
