"""What a run did not count is absent from its response, and no 0."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.engine import (
    UNKNOWN_VERSION,
    ChangePlan,
    MergeResult,
    OperationMetrics,
)
from dbt.adapters.deltaspark.materialize.response import DeltaSparkResponse

PLAN = ChangePlan("WRITE", "native", "a test", "t")
OF_A_WRITE = {"numOutputRows": 3, "numFiles": 1, "numOutputBytes": 9}


def response(verb: str, result: MergeResult) -> tuple[str, dict[str, object]]:
    told = DeltaSparkResponse.of(verb, result, 0.5)
    return str(told), told.to_dict(omit_none=True)


def other_format(rows: int) -> MergeResult:
    metrics = OperationMetrics.of({"numOutputRows": rows})
    return MergeResult(None, "native", metrics, PLAN, counts_all=False)


@pytest.mark.parametrize(
    ("verb", "message", "deleted"),
    [
        ("OVERWRITE", "OVERWRITE 3 inserted, 0 updated [0.5 s]", None),
        ("APPEND", "APPEND 3 rows [0.5 s]", 0),
        ("CREATE", "CREATE 3 rows [0.5 s]", 0),
    ],
)
def test_of_another_format_rows_are_known_and_no_files(
    verb: str, message: str, deleted: int | None
) -> None:
    said, told = response(verb, other_format(3))
    assert said == message
    assert (told["rows_inserted"], told.get("rows_deleted"), told["rows_affected"]) == (
        3,
        deleted,
        3,
    )
    assert {"files_added", "files_removed", "bytes_added", "execution_ms"}.isdisjoint(told)


def test_an_overwrite_by_no_row_did_something() -> None:
    said, told = response("OVERWRITE", other_format(0))
    assert (said, told["skipped"]) == ("OVERWRITE 0 inserted, 0 updated [0.5 s]", False)


def test_an_append_of_no_row_did_nothing() -> None:
    said, told = response("APPEND", other_format(0))
    assert (said, told["skipped"]) == ("APPEND nothing to do [0.5 s]", True)


def test_an_overwrite_by_delta_s_own_writer_says_nothing_of_rows_that_went() -> None:
    result = MergeResult(7, "native", OperationMetrics.of(OF_A_WRITE), PLAN)
    said, told = response("OVERWRITE", result)
    assert said == "OVERWRITE 3 inserted, 0 updated in 1 file [v7, 0.5 s]"
    assert {"rows_deleted", "files_removed", "bytes_removed"}.isdisjoint(told)
    assert told["bytes_added"] == 9


def test_where_it_counts_them_they_are_told() -> None:
    gone = {"numDeletedRows": 2, "numRemovedFiles": 1, "numRemovedBytes": 5}
    metrics = OperationMetrics.of({**OF_A_WRITE, **gone})
    said, told = response("REPLACE", MergeResult(7, "native", metrics, PLAN))
    assert said == "REPLACE 3 inserted, 0 updated, 2 deleted in 1 file [v7, 0.5 s]"
    assert (told["rows_deleted"], told["files_removed"]) == (2, 1)


def test_of_a_write_beside_others_no_count_is_told() -> None:
    result = MergeResult(UNKNOWN_VERSION, "native", OperationMetrics(), PLAN)
    said, told = response("CUSTOM", result)
    assert said == "CUSTOM some rows, while others wrote [version not known, 0.5 s]"
    assert {"rows_affected", "rows_inserted", "rows_deleted", "files_added"}.isdisjoint(told)
