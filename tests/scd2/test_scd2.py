"""Strategy scd2: what becomes of a table's history, rule by rule. Days are days of January 2026."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from commits import commit_of
from history_table import CHECKED, COMPLETE, EVERY_ROW, UNTIMED, History
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import scd2

if TYPE_CHECKING:
    from collections.abc import Callable


def test_a_new_table_has_a_version_for_each_change(history: History) -> None:
    history.begin(
        "(1, 'b', 3), (1, 'a', 1), (1, 'a', 1), (NULL, 'n', 2), (NULL, 'm', 5)", EVERY_ROW
    )
    assert history.rows() == [
        (None, "n", 2, 5, False),
        (None, "m", 5, None, True),
        (1, "a", 1, 3, False),
        (1, "b", 3, None, True),
    ]


def test_changes_and_late_rows_are_put_between_their_neighbours(history: History) -> None:
    history.begin("(1, 'a', 5), (1, 'e', 9), (2, 'a', 5), (3, 'a', 5), (NULL, 'n', 5)", EVERY_ROW)
    changes = (
        "(1, 'c', 7), (1, 'f', 11), (1, 'd', 8), (1, 'first', 2), (3, 'a', 5), (3, 'a', 5),"
        " (4, 'new', 3), (NULL, 'late', 3), (NULL, 'n', 5)"
    )
    result = history.load(changes, EVERY_ROW)
    assert (result.version, result.metrics.inserted, result.metrics.updated) == (1, 6, 2)
    assert history.rows() == [
        (None, "late", 3, 5, False),
        (None, "n", 5, None, True),
        (1, "first", 2, 5, False),
        (1, "a", 5, 7, False),
        (1, "c", 7, 8, False),
        (1, "d", 8, 9, False),
        (1, "e", 9, 11, False),
        (1, "f", 11, None, True),
        (2, "a", 5, None, True),
        (3, "a", 5, None, True),
        (4, "new", 3, None, True),
    ]
    again = history.load(changes, EVERY_ROW)
    assert (again.version, again.route) == (None, "no_op")


def test_a_row_with_the_time_of_a_version_corrects_it_in_place(history: History) -> None:
    history.begin("(1, 'a', 1), (1, 'b', 3), (2, NULL, 1)", EVERY_ROW)
    result = history.load("(1, 'A', 1), (1, 'b', 3), (2, NULL, 1)", EVERY_ROW)
    assert (result.metrics.inserted, result.metrics.updated) == (0, 1)
    assert history.rows() == [
        (1, "A", 1, 3, False),
        (1, "b", 3, None, True),
        (2, None, 1, None, True),
    ]


def test_a_row_equal_in_the_check_columns_to_the_version_before_it_is_none(
    history: History,
) -> None:
    """Key 3: what a late row makes its follower equal to stays, as it was stored."""
    history.begin(
        "(1, 'a', 1), (1, 'a', 2), (1, 'b', 5), (2, NULL, 1), (3, 'a', 1), (3, 'b', 5)", CHECKED
    )
    assert history.rows()[:2] == [(1, "a", 1, 5, False), (1, "b", 5, None, True)]
    changes = (
        "(1, 'a', 3), (1, 'b', 7), (1, 'c', 8), (1, 'c', 9), (2, NULL, 2), (2, 'x', 3),"
        " (2, 'x', 4), (2, NULL, 5), (3, 'b', 3)"
    )
    assert history.load(changes, CHECKED).version == 1
    assert history.rows() == [
        (1, "a", 1, 5, False),
        (1, "b", 5, 8, False),
        (1, "c", 8, None, True),
        (2, None, 1, 3, False),
        (2, "x", 3, 5, False),
        (2, None, 5, None, True),
        (3, "a", 1, 3, False),
        (3, "b", 3, 5, False),
        (3, "b", 5, None, True),
    ]
    assert history.load(changes, CHECKED).version is None


def test_a_row_that_repeated_a_version_is_new_after_a_late_row(history: History) -> None:
    """It left nothing behind, so the late row is in force until it is loaded once more."""
    history.begin("(1, 'Bonn', 1)", CHECKED)
    assert history.load("(1, 'Bonn', 9)", CHECKED).version is None
    history.load("(1, 'Ulm', 5)", CHECKED)
    assert history.rows() == [(1, "Bonn", 1, 5, False), (1, "Ulm", 5, None, True)]
    history.load("(1, 'Bonn', 9)", CHECKED)
    assert history.rows()[1:] == [(1, "Ulm", 5, 9, False), (1, "Bonn", 9, None, True)]


def test_without_updated_at_versions_start_at_the_time_of_the_load(history: History) -> None:
    history.begin("(1, 'a', 1), (2, 'a', 1), (3, 'a', 1)", UNTIMED, day=2)
    assert history.load("(1, 'b', 1), (1, 'b', 1), (2, 'a', 1)", UNTIMED, day=4).version == 1
    assert history.load("(1, 'b', 1), (2, 'a', 1)", UNTIMED, day=5).version is None
    assert history.load("(1, 'b', 1), (2, 'a', 1), (3, 'a', 1)", UNTIMED, day=6).version == 2
    assert history.rows() == [
        (1, "a", 2, 4, False),
        (1, "b", 4, None, True),
        (2, "a", 2, None, True),
        (3, "a", 2, 4, False),
        (3, "a", 6, None, True),
    ]
    with pytest.raises(scd2.HistoryError, match="different rows for one key, and no updated_at"):
        history.load("(1, 'c', 1), (1, 'd', 1)", UNTIMED, day=7)


def test_missing_keys_are_closed_and_opened_when_they_are_seen_again(history: History) -> None:
    """A gap stays; nothing starts before the closing, and what starts after a load stays open."""
    history.begin("(1, 'a', 1), (2, 'a', 1), (3, 'a', 1), (4, 'a', 1), (5, 'a', 20)", COMPLETE)
    assert history.load("(1, 'a', 1)", COMPLETE, day=10).metrics.updated == 3
    assert history.load("(1, 'a', 1)", COMPLETE, day=11).version is None
    back = "(1, 'a', 1), (2, 'a', 1), (3, 'b', 5), (3, 'late', 3), (4, 'b', 12), (5, 'a', 20)"
    assert history.load(back, COMPLETE, day=14).version == 2
    assert history.rows() == [
        (1, "a", 1, None, True),
        (2, "a", 1, 10, False),
        (2, "a", 10, None, True),
        (3, "a", 1, 3, False),
        (3, "late", 3, 10, False),
        (3, "b", 10, None, True),
        (4, "a", 1, 10, False),
        (4, "b", 12, None, True),
        (5, "a", 20, None, True),
    ]
    assert history.load(back, COMPLETE, day=15).version is None
    newer = "(1, 'a', 1), (2, 'a', 1), (3, 'c', 7), (4, 'gap', 11), (4, 'b', 12), (5, 'a', 20)"
    assert history.load(newer, COMPLETE, day=16).version == 3
    assert [row for row in history.rows() if row[0] in (3, 4)] == [
        (3, "a", 1, 3, False),
        (3, "late", 3, 10, False),
        (3, "c", 10, None, True),
        (4, "a", 1, 10, False),
        (4, "gap", 11, 12, False),
        (4, "b", 12, None, True),
    ]


def test_a_late_row_does_not_open_a_closed_key(history: History) -> None:
    """Where the source holds changes only; what is newer than the closing opens the key."""
    history.begin("(1, 'a', 1), (2, 'a', 1), (3, 'a', 1)", COMPLETE)
    history.load("(3, 'a', 1)", COMPLETE, day=10)
    history.load("(1, 'late', 5), (1, 'a', 1), (2, 'new', 10)", EVERY_ROW, day=12)
    assert history.rows() == [
        (1, "a", 1, 5, False),
        (1, "late", 5, 10, False),
        (2, "a", 1, 10, False),
        (2, "new", 10, None, True),
        (3, "a", 1, None, True),
    ]


def test_an_empty_source_changes_nothing(history: History) -> None:
    history.begin("(1, 'a', 1)", COMPLETE)
    result = history.load("", COMPLETE, day=10)
    assert (result.version, result.route) == (None, "no_op")
    assert history.rows() == [(1, "a", 1, None, True)]


def test_a_commit_that_comes_first_is_seen(
    history: History, before_our_commit: Callable[[str], None]
) -> None:
    """What differs is computed anew: the rival's version ends where the new row begins."""
    history.begin("(1, 'a', 1)", EVERY_ROW)
    rival = "SELECT 1, 'rival', TIMESTAMP'2026-01-05', TIMESTAMP'2026-01-05', NULL, true"
    before_our_commit(f"INSERT INTO {history.target.name} {rival}")
    result = scd2.load(
        history.source("(1, 'b', 8)"), history.target, EVERY_ROW, F.now(), user_metadata="nightly"
    )
    assert (result.version, result.retries) == (2, 1)
    assert history.rows() == [
        (1, "a", 1, 5, False),
        (1, "rival", 5, 8, False),
        (1, "b", 8, None, True),
    ]
    assert commit_of(history.path, 2).info["userMetadata"] == "nightly"
    before_our_commit(f"INSERT INTO {history.target.name} {rival.replace('5', '6')}")
    with pytest.raises(Exception, match="DELTA_CONCURRENT"):
        scd2.load(
            history.source("(1, 'c', 9)"), history.target, EVERY_ROW, F.now(), conflict_retries=0
        )
