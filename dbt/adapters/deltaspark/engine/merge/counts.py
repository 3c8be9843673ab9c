"""What a merge did, under the names of Delta's metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..plan import MergePlan
    from .rows import Outcome
    from .source import Source


def counted(source: Source, plan: MergePlan, outcome: Outcome) -> dict[str, int]:
    """The commit's metrics, and those that only Spark's UI shows."""
    changes, rows = outcome.changes, source.facts.rows
    values = {
        **outcome.counts,
        "numSourceRows": rows,
        "operationNumSourceRows": rows,
        "numSourceRowsInSecondScan": 0 if plan.inserts_only else rows,
        "numTargetFilesAdded": sum(change.files_added for change in changes),
        "numTargetBytesAdded": sum(change.bytes_added for change in changes),
        "numTargetPartitionsAddedTo": sum(change.partitions_added_to for change in changes),
        "numTargetPartitionsRemovedFrom": sum(each.partitions_removed_from for each in changes),
        "numTargetFilesRemoved": sum(change.files_removed for change in changes),
        "numTargetBytesRemoved": sum(change.bytes_removed for change in changes),
        "numTargetChangeFilesAdded": sum(change.change_files_added for change in changes),
        "numTargetChangeFileBytes": sum(change.change_bytes_added for change in changes),
        "numTargetDeletionVectorsAdded": sum(change.vectors_added for change in changes),
        "numTargetDeletionVectorsRemoved": sum(change.vectors_removed for change in changes),
        "numTargetDeletionVectorsUpdated": sum(change.vectors_updated for change in changes),
        "materializeSourceTimeMs": source.milliseconds,
        "scanTimeMs": outcome.scan_milliseconds,
        "rewriteTimeMs": outcome.rewrite_milliseconds,
    }
    if plan.whole is not None:
        values["numTargetFilesBeforeSkipping"] = plan.whole.files
        values["numTargetBytesBeforeSkipping"] = plan.whole.bytes
    if plan.files is not None:
        values["numTargetFilesAfterSkipping"] = plan.files.count
        values["numTargetBytesAfterSkipping"] = plan.files.bytes
        values["numTargetPartitionsAfterSkipping"] = plan.files.partitions
    return values
