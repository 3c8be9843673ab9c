"""What a model did, as dbt keeps it in run_results.json and prints it."""

from __future__ import annotations

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


@dataclass
class DeltaSparkResponse(AdapterResponse):
    """Counts, bytes and milliseconds of one commit, or of none."""

    rows_inserted: int = 0
    rows_updated: int = 0
    rows_deleted: int = 0
    rows_copied: int = 0
    files_added: int = 0
    files_removed: int = 0
    deletion_vectors_added: int = 0
    bytes_added: int = 0
    bytes_removed: int = 0
    execution_ms: int = 0
    source_ms: int = 0
    scan_ms: int = 0
    rewrite_ms: int = 0
    delta_version: int | None = None
    route: str | None = None
    retries: int = 0
    skipped: bool = False

    def __post_serialize__(self, dct: dict[str, Any], context: Any = None) -> dict[str, Any]:
        # dbt leaves out what is None, but "no version" is an answer here.
        return {**super().__post_serialize__(dct, context), "delta_version": self.delta_version}

    @classmethod
    def of(cls, verb: str, result: MergeResult, seconds: float) -> DeltaSparkResponse:
        metrics = result.metrics.as_dict()
        fields = {
            field: next((metrics[name] for name in names if name in metrics), 0)
            for field, names in FIELDS.items()
        }
        counted = result.metrics
        fields |= {
            "rows_inserted": counted.inserted,
            "rows_updated": counted.updated,
            "rows_deleted": counted.deleted,
        }
        skipped = result.skipped and not counted.affected and verb != "CREATE"
        message = f"{verb} nothing to do [{seconds:.1f} s]"
        return cls(
            _message=message if skipped else _message(verb, fields, result, seconds),
            code=verb,
            rows_affected=counted.affected,
            delta_version=result.version,
            route=result.route,
            retries=result.retries,
            skipped=skipped,
            **fields,  # type: ignore[arg-type]  # none of them is a text
        )


def _message(verb: str, fields: dict[str, int], result: MergeResult, seconds: float) -> str:
    rows = f"{fields['rows_inserted']} rows"
    if verb not in ONLY_NEW_ROWS:
        rows = ", ".join(
            f"{fields[f'rows_{each}']} {each}" for each in ("inserted", "updated", "deleted")
        )
    files = fields["files_added"]
    written = f"{rows} in {files} {'file' if files == 1 else 'files'}"
    if not result.version_is_known and not result.metrics.values:
        written = "some rows, while others wrote"
    version = "" if result.version is None else f"v{result.version}, "
    version = version if result.version_is_known else "version not known, "
    return f"{verb} {written} [{version}{seconds:.1f} s]"
