"""Partitions by a timestamp in Berlin, whose clocks show 02:30 twice on 27 October 2024."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from targets import with_conf

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import repeats_hours

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    Change = Callable[[SparkSession, engine.DeltaTarget], engine.MergeResult]

pytestmark = pytest.mark.share(4)
FIRST, SECOND = 1729989000, 1729992600
"""02:30, and 02:30 again."""
BOTH = f"VALUES (1, timestamp_seconds({FIRST})), (2, timestamp_seconds({SECOND})) AS t(id, at)"
LATER = f"VALUES (9, timestamp_seconds({SECOND})) AS t(id, at)"
MERGE = (
    f"MERGE INTO {{table}} t USING (SELECT * FROM {LATER}) s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)


@pytest.fixture
def berlin(small: SparkSession) -> Iterator[SparkSession]:
    with with_conf(small, (("spark.sql.session.timeZone", "Europe/Berlin"),)):
        yield small


@pytest.fixture
def target(small: SparkSession, tmp_path: Path) -> engine.DeltaTarget:
    """Both of the moments are in it: a session in UTC writes them."""
    name = f"delta.`{tmp_path}`"
    small.sql(f"CREATE TABLE {name} (id INT, at TIMESTAMP) USING delta PARTITIONED BY (at)")
    target = engine.DeltaTarget.for_path(small, str(tmp_path))
    engine.write(small.sql(f"SELECT * FROM {BOTH}"), target)
    return target


def rows_of(small: SparkSession, path: Path) -> list[tuple[int, int]]:
    with with_conf(small, (("spark.sql.session.timeZone", "UTC"),)):
        query = f"SELECT id, unix_seconds(at) FROM delta.`{path}` ORDER BY id"
        return [tuple(row) for row in small.sql(query).collect()]


CHANGES: dict[str, Change] = {
    "append": lambda spark, target: engine.write(spark.sql(f"SELECT * FROM {LATER}"), target),
    "overwrite": lambda spark, target: engine.write(
        spark.sql(f"SELECT * FROM {LATER}"), target, "overwrite"
    ),
    "merge": lambda spark, target: engine.merge_into(spark, MERGE.format(table=target.name)),
    "update": lambda _, target: target.update({"id": "id + 10"}, "id = 2"),
    "delete": lambda _, target: target.delete(f"at = timestamp_seconds({FIRST})"),
    "delta's own": lambda spark, target: engine.merge_into(
        spark, MERGE.format(table=target.name), native=True
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_is_refused_where_both_would_be_one(
    target: engine.DeltaTarget, berlin: SparkSession, tmp_path: Path, change: Change
) -> None:
    with pytest.raises(engine.RepeatedHourError) as raised:
        change(berlin, target)
    assert str(raised.value) == (
        "the table is partitioned by the timestamp 'at', and in the session's time zone"
        " Europe/Berlin an hour comes twice a year: both of its times have one partition, so that"
        " rows are lost or doubled; nothing was written. Run it with the session"
        " in UTC (spark_config: {spark.sql.session.timeZone: UTC} in the profile, or sql_header:"
        " set spark.sql.session.timeZone = UTC), or partition by a date column."
    )
    assert rows_of(berlin, tmp_path) == [(1, FIRST), (2, SECOND)]


@pytest.mark.parametrize("columns", [{}, {"id": "NOT NULL"}])
def test_so_is_a_new_table(berlin: SparkSession, columns: dict[str, str]) -> None:
    target = engine.DeltaTarget.for_name(berlin, "of_two_moments")
    with pytest.raises(engine.RepeatedHourError, match="'at', and in the session's time zone"):
        engine.write(
            berlin.sql(f"SELECT * FROM {BOTH}"),
            target,
            "overwrite",
            overwrite_schema=True,
            partition_by=["at"],
            columns=columns,
        )
    assert not berlin.catalog.tableExists("of_two_moments")


def test_a_table_of_date_partitions_takes_its_place(
    target: engine.DeltaTarget, berlin: SparkSession, tmp_path: Path
) -> None:
    rows = berlin.sql(f"SELECT *, date(at) AS day FROM {BOTH}")
    engine.write(rows, target, "overwrite", overwrite_schema=True, partition_by=["day"])
    assert rows_of(berlin, tmp_path) == [(1, FIRST), (2, SECOND)]


@pytest.mark.parametrize(
    ("zone", "repeats"),
    [
        ("Europe/Berlin", True),
        ("America/New_York", True),
        ("PST", True),
        ("UTC", False),
        ("Asia/Tokyo", False),
        ("+02:00", False),
        ("GMT+2", False),
        ("Z", False),
    ],
)
def test_a_zone_whose_clocks_go_back_repeats_an_hour(zone: str, repeats: bool) -> None:
    assert repeats_hours(zone) is repeats
