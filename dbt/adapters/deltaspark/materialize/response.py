"""What a model did, as dbt keeps it in run_results.json and prints it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt.adapters.contracts.connection import AdapterResponse

if TYPE_CHECKING:
    from ..engine import MergeResult

VERBS = {
    "append": "APPEND",
    "merge": "MERGE",
    "insert_only": "INSERT",
    "delete+insert": "DELETE+INSERT",
    "insert_overwrite": "OVERWRITE",
    "replace_where": "REPLACE",
    "microbatch": "BATCH",
    "scd2": "SCD2",
    "custom": "CUSTOM",
}
"""What the console calls a later run of each strategy."""
FIELDS = {
    "rows_copied": ("numTargetRowsCopied", "numCopiedRows"),
    "files_added": ("numTargetFilesAdded", "numFiles"),
    "files_removed": ("numTargetFilesRemoved", "numRemovedFiles"),
    "deletion_vectors_added": ("numTargetDeletionVectorsAdded", "numDeletionVectorsAdded"),
    "bytes_added": ("numTargetBytesAdded", "numOutputBytes"),
    "bytes_removed": ("numTargetBytesRemoved", "numRemovedBytes"),
    "execution_ms": ("executionTimeMs",),
    "source_ms": ("materializeSourceTimeMs",),
    "scan_ms": ("scanTimeMs",),
    "rewrite_ms": ("rewriteTimeMs",),
}
"""Ours, and what Delta calls it in the metrics of a MERGE and of a write."""
ONLY_NEW_ROWS = ("CREATE", "APPEND", "SEED", "INSERT")
REPLACING = ("OVERWRITE", "REPLACE", "DELETE+INSERT", "BATCH")
OFTEN_NOT_COUNTED = {
    "rows_deleted": "numDeletedRows",
    "files_removed": "numRemovedFiles",
    "bytes_removed": "numRemovedBytes",
}
"""What Delta's own writer counts of some replacements alone, and by which metric then."""


@dataclass
class DeltaSparkResponse(AdapterResponse):
    """Counts, bytes and milliseconds of one commit, or of none; None is what is not known."""

    rows_inserted: int | None = 0
    rows_updated: int | None = 0
    rows_deleted: int | None = 0
    rows_copied: int | None = 0
    files_added: int | None = 0
    files_removed: int | None = 0
    deletion_vectors_added: int | None = 0
    bytes_added: int | None = 0
    bytes_removed: int | None = 0
    execution_ms: int | None = 0
    source_ms: int | None = 0
    scan_ms: int | None = 0
    rewrite_ms: int | None = 0
    delta_version: int | None = None
    route: str | None = None
    retries: int = 0
    skipped: bool = False

    def __post_serialize__(self, dct: dict[str, Any], context: Any = None) -> dict[str, Any]:
        # dbt leaves out what is None, but "no version" is an answer here.
        return {**super().__post_serialize__(dct, context), "delta_version": self.delta_version}

    @classmethod
    def of(cls, verb: str, result: MergeResult, seconds: float) -> DeltaSparkResponse:
        counted, fields = result.metrics, _fields(verb, result)
        is_all = result.counts_all or verb == "APPEND"
        skipped = result.skipped and is_all and not counted.affected and verb != "CREATE"
        message = f"{verb} nothing to do [{seconds:.1f} s]"
        return cls(
            _message=message if skipped else _message(verb, fields, result, seconds),
            code=verb,
            rows_affected=None if fields["rows_inserted"] is None else counted.affected,
            delta_version=result.version,
            route=result.route,
            retries=result.retries,
            skipped=skipped,
            **fields,  # type: ignore[arg-type]  # none of them is a text
        )


def _fields(verb: str, result: MergeResult) -> dict[str, int | None]:
    """What the metrics say; what they have no number of is 0, or not known."""
    metrics = result.metrics.as_dict()
    missing = 0 if result.counts_all else None
    fields: dict[str, int | None] = {
        field: next((metrics[name] for name in names if name in metrics), missing)
        for field, names in FIELDS.items()
    }
    fields["rows_inserted"] = result.metrics.inserted
    fields["rows_updated"], fields["rows_deleted"] = result.metrics.updated, result.metrics.deleted
    return {**fields, **dict.fromkeys(_not_known(verb, result))}


def _not_known(verb: str, result: MergeResult) -> Iterable[str]:
    metrics = result.metrics.as_dict()
    if not (result.version_is_known or metrics):
        return (*FIELDS, "rows_inserted", "rows_updated", "rows_deleted")
    is_merge = "numTargetRowsInserted" in metrics
    if verb not in REPLACING or result.route != "native" or is_merge or not metrics:
        return ()
    return [field for field, name in OFTEN_NOT_COUNTED.items() if name not in metrics]


def _message(verb: str, fields: dict[str, int | None], result: MergeResult, seconds: float) -> str:
    rows = f"{fields['rows_inserted']} rows"
    if verb not in ONLY_NEW_ROWS:
        counts = {each: fields[f"rows_{each}"] for each in ("inserted", "updated", "deleted")}
        rows = ", ".join(f"{count} {each}" for each, count in counts.items() if count is not None)
    files = fields["files_added"]
    in_files = "" if files is None else f" in {files} {'file' if files == 1 else 'files'}"
    written = rows + in_files
    if not result.version_is_known and not result.metrics.values:
        written = "some rows, while others wrote"
    version = "" if result.version is None else f"v{result.version}, "
    version = version if result.version_is_known else "version not known, "
    return f"{verb} {written} [{version}{seconds:.1f} s]"
