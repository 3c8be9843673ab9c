"""Rows of strategy scd2 that went with an executor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from history_table import EVERY_ROW, History
from lost_rows import Keeps

from dbt.adapters.deltaspark.scd2 import arrivals

if TYPE_CHECKING:
    import pytest
    from pyspark.sql import SparkSession


def test_the_load_begins_again_and_not_the_merge_in_it(
    history: History,
    small: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each attempt of the merge would read what is gone."""
    history.begin("(1, 'a', 1)", EVERY_ROW)
    keeps = Keeps(small, 1)
    monkeypatch.setattr(arrivals, "kept", keeps)
    history.load("(1, 'b', 3)", EVERY_ROW)
    assert history.rows() == [(1, "a", 1, 3, False), (1, "b", 3, None, True)]
    assert keeps.copies == [1, 2]
    assert caplog.text.count("starting over") == 1
