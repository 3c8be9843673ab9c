"""Strategy scd2: what becomes of a table's history, rule by rule. Days are days of January 2026."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine, scd2

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

EVERY_ROW = scd2.Scd2(unique_key=("id",), updated_at="changed", check_columns=None)
CHECKED = replace(EVERY_ROW, check_columns=("v",))
COMPLETE = replace(EVERY_ROW, invalidate_missing=True)
UNTIMED = replace(CHECKED, updated_at=None, invalidate_missing=True)


@dataclass(frozen=True)
class History:
    """A table with history, on disk; rows are written (id, v, day)."""

    spark: SparkSession
    path: Path

    @property
    def target(self) -> engine.DeltaTarget:
        return engine.DeltaTarget.for_path(self.spark, str(self.path))

    def source(self, rows: str) -> DataFrame:
        changed = "CAST(make_date(2026, 1, day) AS TIMESTAMP) AS changed"
        texts = rows or "(0, '', 1)"
        frame = self.spark.sql(f"SELECT id, v, {changed} FROM VALUES {texts} AS t(id, v, day)")
        return frame if rows else frame.limit(0)

    def begin(self, rows: str, settings: scd2.Scd2, day: int = 1) -> None:
        source = self.source(rows) if settings.updated_at else self.source(rows).drop("changed")
        save(scd2.first_load(source, settings, datetime(2026, 1, day)), self.path)

    def load(self, rows: str, settings: scd2.Scd2, day: int = 1) -> engine.MergeResult:
        source = self.source(rows) if settings.updated_at else self.source(rows).drop("changed")
        return scd2.load(source, self.target, settings, datetime(2026, 1, day))

    def rows(self) -> list[tuple[Any, ...]]:
        """(id, v, first day, day after the last, is_current)."""
        days = "day(valid_from) AS start, day(valid_to), is_current"
        query = f"SELECT id, v, {days} FROM {self.target.name} ORDER BY id, start"
        return [tuple(row) for row in self.spark.sql(query).collect()]


def save(frame: DataFrame, path: Path) -> None:
    frame.write.format("delta").save(str(path))


@pytest.fixture
def history(small: SparkSession, tmp_path: Path) -> History:
    return History(small, tmp_path / "history")


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


def test_rows_that_do_not_say_a_history_are_refused_before_a_write(history: History) -> None:
    timeless = "(7, 'a', NULL), (7, 'b', NULL), (NULL, 'c', NULL), (8, 'd', 1)"
    with pytest.raises(scd2.HistoryError) as raised:
        history.begin(timeless, EVERY_ROW)
    assert str(raised.value) == (
        "scd2: updated_at 'changed' is null in rows of the source; nothing was written. Some"
        " keys:\n  - id = NULL: 1 source row\n  - id = 7: 2 source rows\n"
        "Give these rows a time, or leave them out."
    )
    history.begin("(1, 'a', 1)", EVERY_ROW)
    pairs = ", ".join(f"({key}, 'a', 2), ({key}, 'b', 2)" for key in range(7))
    with pytest.raises(scd2.HistoryError, match="different rows for one key and one time") as twice:
        history.load(pairs, EVERY_ROW)
    assert twice.value.keys[0] == "id = 0 at 2026-01-02 00:00:00: 2 source rows"
    assert len(twice.value.keys) == 5
    with pytest.raises(scd2.HistoryError, match="'changed' is null"):
        history.load(timeless, EVERY_ROW)
    assert latest_version(history.path) == 0


def test_dates_and_numbers_order_changes_too(small: SparkSession, tmp_path: Path) -> None:
    """A date is closed on the day that it is in UTC; a wall clock shows UTC."""
    first = "SELECT 1 AS id, {} AS at UNION ALL SELECT 2, {}"
    later = "SELECT 1 AS id, {} AS at"
    ends = []
    for kind in ("DATE", "TIMESTAMP_NTZ", "BIGINT"):
        old, new = (f"CAST({each} AS {kind})" for each in times(kind))
        target = engine.DeltaTarget.for_path(small, str(tmp_path / kind))
        settings = scd2.Scd2(
            unique_key=("ID",),
            updated_at="AT",
            check_columns=None,
            invalidate_missing=kind != "BIGINT",
        )
        moment = F.lit("2026-01-05T23:30:00Z")
        save(scd2.first_load(small.sql(first.format(old, old)), settings, moment), tmp_path / kind)
        small.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
        try:
            scd2.load(small.sql(later.format(new)), target, settings, moment)
        finally:
            small.conf.set("spark.sql.session.timeZone", "UTC")
        ends += [
            str(row[0])
            for row in small.sql(f"SELECT valid_to FROM {target.name} ORDER BY id, at").collect()
        ]
    assert ends == [
        *("2026-01-03", "None", "2026-01-05"),
        *("2026-01-03 00:00:00", "None", "2026-01-05 23:30:00"),
        *("3", "None", "None"),
    ]


def times(kind: str) -> tuple[str, str]:
    return ("1", "3") if kind == "BIGINT" else ("'2026-01-01'", "'2026-01-03'")


def test_columns_may_have_any_name_and_type(small: SparkSession, tmp_path: Path) -> None:
    """Those of the frames inside, maps, which have no order, and structs among them."""
    row = (
        "SELECT {key} AS `a key.``x```, 1 AS key_0, map('b', {n}, 'a', 2) AS `row`,"
        " named_struct('at', {n}) AS `end`, array(map(1, 2)) AS until, {at} AS `at`,"
        " 'x' AS __scd2_0_at, DATE'2026-01-01' AS `select`"
    )
    settings = scd2.Scd2(
        unique_key=("A KEY.`x`", "key_0"),
        updated_at="at",
        check_columns=("row", "END"),
        valid_from="from",
        valid_to="to date",
        is_current="is.current",
    )
    first = scd2.first_load(small.sql(row.format(key=1, n=1, at=1)), settings, F.now())
    mapped = first.write.format("delta").option("delta.columnMapping.mode", "name")
    mapped.save(str(tmp_path / "t"))
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "t"))
    texts = (row.format(key=key, n=n, at=at) for key, n, at in [(1, 1, 2), (1, 2, 3), (2, 1, 1)])
    source = small.sql(" UNION ALL ".join(texts))
    assert scd2.load(source, target, settings, F.now()).metrics.inserted == 2
    assert scd2.load(source, target, settings, F.now()).version is None
    columns = "`a key.``x```, `row`['b'], `end`.at, `from`, `to date`, `is.current`"
    rows = small.sql(f"SELECT {columns} FROM {target.name} ORDER BY 1, `from`").collect()
    assert [tuple(each) for each in rows] == [
        (1, 1, 1, 1, 3, False),
        (1, 2, 2, 3, None, True),
        (2, 1, 1, 1, None, True),
    ]


def test_columns_of_one_side_are_left_out_or_added(small: SparkSession, tmp_path: Path) -> None:
    """A missing column stays as it is in a correction, and is null in a new version."""
    save(
        scd2.first_load(
            small.sql("SELECT 1 AS id, 'a' AS v, 'old' AS w, 1 AS changed"), EVERY_ROW, F.now()
        ),
        tmp_path / "t",
    )
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "t"))
    source = small.sql(
        "SELECT 1 AS id, 'b' AS v, changed, 9 AS n FROM VALUES (1), (2) AS t(changed)"
    )
    columns = ["id", "v", "w", "changed", "valid_from", "valid_to", "is_current"]
    assert scd2.load(source, target, EVERY_ROW, F.now()).version == 1
    assert small.table(target.name).columns == columns
    assert scd2.load(source, target, EVERY_ROW, F.now(), evolve=True).version == 2
    assert small.table(target.name).columns == [*columns, "n"]
    assert scd2.load(source, target, EVERY_ROW, F.now(), evolve=True).version is None
    rows = small.sql(
        f"SELECT v, w, valid_from, valid_to, n FROM {target.name} ORDER BY 3"
    ).collect()
    assert [tuple(row) for row in rows] == [("b", "old", 1, 2, 9), ("b", None, 2, None, 9)]


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


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"unique_key": ()}, "unique_key must name a column"),
        ({"updated_at": None}, "updated_at or check_columns must be given"),
        ({"check_columns": ()}, "check_columns names no column"),
        ({"updated_at": "ID"}, "updated_at 'ID' is in unique_key"),
        ({"valid_to": "VALID_FROM"}, "valid_from, valid_to and is_current need three names"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(engine.SpecError, match=expected):
        replace(EVERY_ROW, **settings)


def test_columns_that_do_not_fit_are_refused_all_at_once(
    small: SparkSession, tmp_path: Path
) -> None:
    source = small.sql("SELECT 1 AS id, 'a' AS v, 'b' AS valid_to, '2026' AS changed")
    with pytest.raises(engine.SpecError) as raised:
        scd2.first_load(source, replace(EVERY_ROW, unique_key=("id", "k")), F.now())
    assert str(raised.value) == (
        "scd2: the source has no column 'k'; it has id, v, valid_to, changed; the source has a"
        " column 'valid_to', which scd2 adds to the table; rename it, or give scd2's column another"
        " name; updated_at 'changed' is of type string; it must be a timestamp, a date or a number:"
        " cast it; nothing was written"
    )
    numbered = small.sql("SELECT 1 AS id, 2 AS changed")
    with pytest.raises(engine.SpecError, match="'changed', which is of type int"):
        scd2.first_load(numbered, COMPLETE, F.now())
    save(
        small.sql("SELECT 1 AS id, DATE'2026-01-01' AS valid_from, 1 AS is_current"), tmp_path / "t"
    )
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "t"))
    with pytest.raises(engine.SpecError) as misfit:
        scd2.load(numbered, target, EVERY_ROW, F.now())
    assert str(misfit.value) == (
        "scd2: the table's 'valid_from' is of type date, and would have to be int; cast updated_at"
        " in the source, or run a full refresh; the table has no column 'valid_to' (int); a full"
        " refresh makes it; the table has no column 'changed' (int); a full refresh makes it; the"
        " table's 'is_current' is of type int, and would have to be boolean; cast updated_at in the"
        " source, or run a full refresh; nothing was written"
    )
