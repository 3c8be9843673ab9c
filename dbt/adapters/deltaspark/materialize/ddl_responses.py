"""What CREATE FUNCTION and CLONE did, as dbt keeps it in run_results.json and prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt.adapters.contracts.connection import AdapterResponse

from .response import DeltaSparkResponse

if TYPE_CHECKING:
    import agate
    from dbt.adapters.base.relation import BaseRelation


def clone_response(counts: agate.Table) -> DeltaSparkResponse:
    """Of the one row that Delta's CLONE answers; a shallow clone copies no file."""
    clone = dict(zip(counts.column_names, counts.rows[0], strict=True))
    files, size = int(clone["source_num_of_files"]), int(clone["source_table_size"])
    return DeltaSparkResponse(
        _message=f"CLONE {files} {'file' if files == 1 else 'files'} of {size} bytes, none copied",
        code="CLONE",
        files_added=files,
        files_removed=int(clone["num_removed_files"]),
        bytes_added=size,
        bytes_removed=int(clone["removed_files_size"]),
    )


def function_response(function: BaseRelation) -> AdapterResponse:
    return AdapterResponse(
        _message=f"CREATE FUNCTION {function.identifier}", code="CREATE FUNCTION"
    )
