"""Operation metrics under Delta's names."""

from __future__ import annotations

from dbt.adapters.deltaspark.engine.metrics import NAMES, OperationMetrics


def test_a_merge_reports_every_metric_of_delta_and_zero_for_what_was_not_counted() -> None:
    metrics = OperationMetrics.of_merge({"numTargetRowsUpdated": 3})
    assert set(metrics.as_dict()) == set(NAMES)
    assert metrics.as_dict()["numTargetRowsDeleted"] == 0


def test_output_rows_are_inserted_updated_and_copied_ones() -> None:
    metrics = OperationMetrics.of_merge(
        {
            "numTargetRowsInserted": 1,
            "numTargetRowsUpdated": 2,
            "numTargetRowsCopied": 4,
            "numTargetRowsDeleted": 8,
        }
    )
    assert metrics.as_dict()["numOutputRows"] == 7


def test_affected_rows_are_inserted_updated_and_deleted_ones() -> None:
    metrics = OperationMetrics.of_merge(
        {
            "numTargetRowsInserted": 1,
            "numTargetRowsUpdated": 2,
            "numTargetRowsCopied": 4,
            "numTargetRowsDeleted": 8,
        }
    )
    assert metrics.affected == 11


def test_rows_that_a_delete_or_an_update_copies_are_no_negative_new_ones() -> None:
    deleted = OperationMetrics.of({"numDeletedRows": 1, "numCopiedRows": 99})
    assert (deleted.inserted, deleted.deleted, deleted.affected) == (0, 1, 1)
    written = OperationMetrics.of({"numOutputRows": 12, "numCopiedRows": 10, "numDeletedRows": 1})
    assert (written.inserted, written.affected) == (2, 3)


def test_equal_counts_are_equal_metrics_in_whatever_order_they_came() -> None:
    assert OperationMetrics.of({"a": 1, "b": 2}) == OperationMetrics.of({"b": 2, "a": 1})
