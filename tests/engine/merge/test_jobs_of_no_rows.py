"""A merge that can find no row asks Spark for at most one job, which is its source's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import jobs_so_far

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession
    from seed_tables import TableFrom

UPDATE = "WHEN MATCHED THEN UPDATE SET *"
DELETE = "WHEN MATCHED THEN DELETE"
UPSERT = f"{UPDATE} WHEN NOT MATCHED THEN INSERT *"
INSERT = "WHEN NOT MATCHED THEN INSERT *"


def of_no_rows(spark: SparkSession) -> DataFrame:
    """So that the plan does not say it: the filter is looked at when it runs."""
    return spark.range(0, 1000, 1, 3).selectExpr("id", "'new' AS v").where("hash(v, id) % 2 = 5")


def of_other_keys(spark: SparkSession) -> DataFrame:
    return spark.range(50_000, 50_100, 1, 3).selectExpr("id", "'new' AS v")


@pytest.mark.share(2)
@pytest.mark.parametrize("vectors", ["true", "false"])
@pytest.mark.parametrize(
    ("source", "clauses"),
    [
        (of_no_rows, UPSERT),
        (of_no_rows, INSERT),
        (of_no_rows, UPDATE),
        (of_other_keys, UPDATE),
        (of_other_keys, DELETE),
    ],
)
def test_nothing_is_read_of_the_table_and_nothing_committed(
    small: SparkSession,
    table_from: TableFrom,
    tmp_path: Path,
    source: Callable[[SparkSession], DataFrame],
    clauses: str,
    vectors: str,
) -> None:
    path = table_from(
        tmp_path / "table",
        "CREATE TABLE {table} (id LONG, v STRING) USING delta"
        f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{vectors}')",
        "INSERT INTO {table} SELECT id, 'old' AS v FROM range(0, 1000, 1, 1)",
    )
    source(small).createOrReplaceTempView("s")
    before = jobs_so_far(small)
    result = engine.merge_into(
        small, f"MERGE INTO delta.`{path}` t USING s ON t.id = s.id {clauses}"
    )
    jobs = jobs_so_far(small) - before
    assert (result.version, result.route) == (None, "no_op")
    assert jobs <= 1
