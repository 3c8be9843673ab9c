"""Random histories under strategy scd2: as a model in plain Python has them, and without a flaw."""

from __future__ import annotations

import os
import random
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F
from scd2_model import Rules, Values, Version, bring, close
from shares import seed_of_turn

from dbt.adapters.deltaspark import engine, scd2

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

SEED = int(os.environ.get("FUZZ_SEED") or seed_of_turn())
HISTORIES = 250
LOADS = (True, True, False, True)
"""Of each later load, whether its source holds all keys that there are."""

Rows = dict[int | None, dict[int, Values]]
"""A source: of each key, its values by updated_at."""

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
FLAWS = """
WITH versions AS (
  SELECT *, lead(valid_from) OVER (PARTITION BY id ORDER BY valid_from) AS next FROM {table}
)
SELECT 'is_current' AS flaw, id FROM versions WHERE is_current <> (valid_to IS NULL)
UNION ALL SELECT 'empty', id FROM versions WHERE valid_to <= valid_from
UNION ALL SELECT 'overlap', id FROM versions WHERE next < valid_to OR next = valid_from
UNION ALL SELECT 'open before another', id FROM versions WHERE valid_to IS NULL AND next IS NOT NULL
UNION ALL SELECT 'gap without a deletion', id FROM versions
  WHERE valid_to IS DISTINCT FROM next AND valid_to IS NOT NULL
  AND NOT array_contains({closings}, minute(valid_to) + 60 * hour(valid_to))
UNION ALL SELECT 'several current', id FROM versions GROUP BY id HAVING count_if(is_current) > 1
"""


def random_rows(draw: random.Random, number: int, all_keys: bool) -> Rows:
    """The number of the load is how far time has come."""
    newest = 10 * number + 12
    keys: list[int | None] = [None, *range(1, HISTORIES)]
    there = [key for key in keys if draw.random() < (0.75 if all_keys else 0.6)]
    return {key: _random_changes(draw, newest) for key in there}


def _random_changes(draw: random.Random, newest: int) -> dict[int, Values]:
    """New ones, or only old ones; close together or not."""
    latest = max(newest - draw.choice((0, 0, 16, 30)), 4)
    ago = draw.sample(range(draw.choice((4, latest))), draw.randint(1, 4))
    return {latest - minutes: (draw.choice("aab"), draw.randint(0, 2)) for minutes in ago}


def frame_of(small: SparkSession, rows: Rows, draw: random.Random) -> DataFrame:
    """As a source gives them: in no order, some of them twice."""
    told = [(key, at, *values) for key, each in rows.items() for at, values in each.items()]
    told += draw.sample(told, len(told) // 10)
    draw.shuffle(told)
    frame = small.createDataFrame(told, "id INT, minute INT, v STRING, n INT")
    at = F.timestamp_seconds(F.lit(int(START.timestamp())) + F.col("minute") * 60)
    return frame.select("id", "v", "n", at.alias("changed"))


def told_to(histories: dict[int | None, list[Version]], rows: Rows, rules: Rules, now: int) -> None:
    """The same load by the model."""
    for key in histories.keys() | rows.keys():
        history = histories.setdefault(key, [])
        if key in rows:
            bring(history, rows[key], rules)
        elif rules.closes_missing:
            close(history, now)


def expected(histories: dict[int | None, list[Version]]) -> set[tuple[Any, ...]]:
    return {
        (key, *each.values, each.updated_at, each.start, each.end, each.end is None)
        for key, history in histories.items()
        for each in history
    }


def found(small: SparkSession, path: Path) -> list[tuple[Any, ...]]:
    minutes = ", ".join(
        f"timestampdiff(MINUTE, TIMESTAMP'2026-01-01', {name}) AS {name}"
        for name in ("changed", "valid_from", "valid_to")
    )
    rows = small.sql(f"SELECT id, v, n, {minutes}, is_current FROM delta.`{path}`")
    return [tuple(row) for row in rows.collect()]


@pytest.mark.share(4)
@pytest.mark.parametrize("checks", [False, True], ids=["every_row", "check_columns"])
def test_random_histories_are_those_of_the_model(
    small: SparkSession, tmp_path: Path, checks: bool
) -> None:
    print(f"FUZZ_SEED={SEED}")
    draw = random.Random(SEED + checks)
    columns = ("v",) if checks else None
    settings = scd2.Scd2(unique_key=("id",), updated_at="changed", check_columns=columns)
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "t"))
    histories: dict[int | None, list[Version]] = {}
    rows = random_rows(draw, 0, all_keys=True)
    with scd2.first_load(frame_of(small, rows, draw), settings, START) as first:
        first.write.format("delta").save(str(tmp_path / "t"))
    told_to(histories, rows, Rules(checks), 0)
    closings = []
    for number, all_keys in enumerate(LOADS, start=1):
        now = 10 * number + 4
        rows = random_rows(draw, number, all_keys)
        source = frame_of(small, rows, draw)
        rules = scd2.Scd2(
            unique_key=("id",),
            updated_at="changed",
            check_columns=columns,
            invalidate_missing=all_keys,
        )
        moment = START + timedelta(minutes=now)
        closings += [now] if all_keys else []
        assert scd2.load(source, target, rules, moment).version == number
        told_to(histories, rows, Rules(checks, all_keys), now)
        stored = found(small, tmp_path / "t")
        assert sorted(stored, key=str) == sorted(expected(histories), key=str)
        flaws = FLAWS.format(table=target.name, closings=f"array({', '.join(map(str, closings))})")
        assert small.sql(flaws).collect() == []
        assert scd2.load(source, target, rules, moment).version is None
