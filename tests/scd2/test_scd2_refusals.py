"""Strategy scd2: rows, settings and columns that are refused, before anything is written."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from commits import latest_version
from history_table import COMPLETE, EVERY_ROW, History, save
from pyspark.sql import functions as F

from dbt.adapters.deltaspark import engine, scd2

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession


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


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"unique_key": ()}, "unique_key must name a column"),
        ({"updated_at": None}, "updated_at or check_columns must be given"),
        ({"check_columns": ()}, "check_columns names no column"),
        ({"check_columns": ("ID", "Changed")}, "check_columns names only the key and updated_at"),
        ({"updated_at": "ID"}, "updated_at 'ID' is in unique_key"),
        ({"valid_to": "VALID_FROM"}, "valid_from, valid_to and is_current need three names"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_settings_that_mean_nothing_are_refused(settings: dict[str, Any], expected: str) -> None:
    with pytest.raises(engine.SpecError, match=expected):
        replace(EVERY_ROW, **settings)


def began(source: DataFrame, settings: scd2.Scd2) -> None:
    with scd2.first_load(source, settings, F.now()):
        pass


def test_columns_that_do_not_fit_are_refused_all_at_once(
    small: SparkSession, tmp_path: Path
) -> None:
    source = small.sql("SELECT 1 AS id, 'a' AS v, 'b' AS valid_to, '2026' AS changed")
    with pytest.raises(engine.SpecError) as raised:
        began(source, replace(EVERY_ROW, unique_key=("id", "k")))
    assert str(raised.value) == (
        "scd2: the source has no column 'k'; it has id, v, valid_to, changed; the source has a"
        " column 'valid_to', which scd2 adds to the table; rename it, or give scd2's column another"
        " name; updated_at 'changed' is of type string; it must be a timestamp, a date or a number:"
        " cast it; nothing was written"
    )
    numbered = small.sql("SELECT 1 AS id, 2 AS changed")
    with pytest.raises(engine.SpecError, match="'changed', which is of type int"):
        began(numbered, COMPLETE)
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
