"""Writes that Delta's own writer does: to a table with a column that the engine cannot name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom


def rows_of(spark: SparkSession, path: Path) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in spark.read.format("delta").load(str(path)).collect())


@pytest.mark.parametrize("dynamic_partitions", [False, True])
def test_an_overwritten_table_stays_clustered(
    small: SparkSession, target: engine.DeltaTarget, path: Path, dynamic_partitions: bool
) -> None:
    small.sql(f"CREATE TABLE {target.name} (id INT, _metadata INT) USING delta CLUSTER BY (id)")
    small.sql(f"INSERT INTO {target.name} VALUES (1, 2)")
    row = small.sql("SELECT 3 AS id, 4 AS _metadata")
    result = engine.write(row, target, "overwrite", dynamic_partitions=dynamic_partitions)
    assert (result.route, rows_of(small, path)) == ("native", [(3, 4)])
    detail = small.sql(f"DESCRIBE DETAIL {target.name}").first()
    assert detail is not None
    assert detail["clusteringColumns"] == ["id"]


@pytest.mark.parametrize(
    ("replacement", "left"),
    [
        ({}, [(1, 3, 4)]),
        ({"replace_where": "id = 3"}, [(1, 1, 2), (1, 3, 4), (2, 5, 6)]),
        ({"replace_using": ["id"]}, [(1, 1, 2), (1, 3, 4), (2, 5, 6)]),
        ({"dynamic_partitions": True}, [(1, 3, 4), (2, 5, 6)]),
    ],
    ids=["whole", "where", "using", "partitions"],
)
def test_rows_are_cast_to_the_table_s_types_whatever_they_replace(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    replacement: dict[str, Any],
    left: list[tuple[Any, ...]],
) -> None:
    columns = "p INT, id BIGINT, _metadata INT"
    small.sql(f"CREATE TABLE {target.name} ({columns}) USING delta PARTITIONED BY (p)")
    small.sql(f"INSERT INTO {target.name} VALUES (1, 1, 2), (1, 3, 0), (2, 5, 6)")
    row = small.sql("SELECT 1 AS p, 3 AS id, 4 AS _metadata")
    result = engine.write(row, target, "overwrite", **replacement)
    assert (result.route, rows_of(small, path)) == ("native", left)


def test_delta_s_own_writer_takes_no_other_partitions_for_those_of_the_table(
    small: SparkSession, table_from: TableFrom, tmp_path: Path
) -> None:
    path = table_from(
        tmp_path / "native",
        "CREATE TABLE {table} (id INT, _metadata INT) USING delta",
        "INSERT INTO {table} VALUES (1, 2)",
    )
    target = engine.DeltaTarget.for_path(small, str(path))
    row = small.sql("SELECT 3 AS id, 4 AS _metadata")
    with pytest.raises(Exception, match=r"(?i)partition"):
        engine.write(row, target, "overwrite", dynamic_partitions=True, partition_by=["id"])
    assert rows_of(small, path) == [(1, 2)]
