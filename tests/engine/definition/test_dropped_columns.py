"""Columns are dropped from tables that list the columns with statistics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from altering import alter, detail, rows_of

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom

STATISTICS = "delta.dataSkippingStatsColumns"


@pytest.mark.parametrize(
    ("listed", "dropped", "left"),
    [
        ("`order-id`, w", "gone", "`order-id`, w"),
        ("w,`order-id`", "W", "`order-id`"),
        ("`unit, ``price`.`a.b`,`order-id`,w", "order-id", "`unit, ``price`.`a.b`,w"),
        ("`unit, ``price`.`a.b`,w", "unit, `price", "w"),
        ("w", "w", ""),
    ],
)
def test_other_columns_keep_their_statistics(
    small: SparkSession, tmp_path: Path, table_from: TableFrom, listed: str, dropped: str, left: str
) -> None:
    path = table_from(
        tmp_path / "target",
        "CREATE TABLE {table} (`order-id` INT, w INT, gone INT, `unit, ``price` STRUCT<`a.b`: INT>)"
        " USING delta TBLPROPERTIES ('delta.columnMapping.mode' = 'name',"
        f" '{STATISTICS}' = '{listed}')",
        "INSERT INTO {table} VALUES (1, 2, 3, named_struct('a.b', 4))",
    )
    target = engine.DeltaTarget.for_path(small, str(path))
    alter(target, dropped=(dropped,))
    assert detail(target)["properties"][STATISTICS] == left
    before = rows_of(target)
    small.sql(f"INSERT INTO {target.name} TABLE {target.name}")
    assert rows_of(target) == before * 2
