"""Vectors of few rows, made on the driver, are those that a job makes of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from commits import latest_version, live_files

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import few_vectors

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

UPSERT = (
    "MERGE INTO {t} t USING {s} s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)
STEPS: dict[str, tuple[tuple[str, str], ...]] = {
    "two files": (("upsert", "id BETWEEN 480 AND 520"),),
    "a run of rows": (("upsert", "id BETWEEN 100 AND 300"),),
    "one row, and then more of its file": (("upsert", "id = 7"), ("upsert", "id IN (3, 8, 499)")),
    "a whole file": (("upsert", "id < 500"),),
    "an update": (("update", "id % 100 = 3"),),
    "an update over an older vector": (("upsert", "id % 200 = 1"), ("update", "id % 200 < 3")),
}


def made(spark: SparkSession, path: Path, by: str) -> str:
    """Two files of 500 rows in a folder whose name is encoded in URLs."""
    rows = "SELECT id, concat('a b%', id % 2) AS p, 'old' AS v FROM range({}, {}, 1, 1)"
    name = f"delta.`{path}`"
    spark.sql(
        f"CREATE TABLE {name} (id LONG, p STRING, v STRING) USING delta {by}"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"
    )
    for first in (0, 500):
        spark.sql(f"INSERT INTO {name} {rows.format(first, first + 500)}")
    return name


def changed(spark: SparkSession, table: str, how: str, where: str) -> None:
    if how == "update":
        engine.DeltaTarget.for_name(spark, table).update({"v": "'new'"}, where)
        return
    source = "SELECT id, concat('a b%', id % 2) AS p, 'new' AS v FROM range(600)"
    engine.merge_into(spark, UPSERT.format(t=table, s=f"({source} WHERE {where})"))


def vectors(path: Path) -> list[tuple[int, int, int]]:
    """Of each file that has one: its bytes, the rows of the vector, and the vector's bytes."""
    found = live_files(path, latest_version(path)).values()
    return sorted(
        (file["size"], vector["cardinality"], vector["sizeInBytes"])
        for file in found
        if (vector := file.get("deletionVector")) is not None
    )


@pytest.mark.share(8)
@pytest.mark.parametrize("by", ["", "PARTITIONED BY (p)"], ids=["plain", "partitioned"])
@pytest.mark.parametrize("steps", STEPS.values(), ids=STEPS)
def test_vectors_are_those_of_a_job(
    small: SparkSession,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    steps: tuple[tuple[str, str], ...],
    by: str,
) -> None:
    outcomes = []
    for most in (-1, 10_000):
        monkeypatch.setattr(few_vectors, "MOST_ROWS", most)
        path = tmp_path / f"by the driver {most > 0} 100%"
        table = made(small, path, by)
        for step in steps:
            changed(small, table, *step)
        outcomes.append((vectors(path), sorted(map(tuple, small.table(table).collect()))))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][0] or steps == STEPS["a whole file"]


def test_no_job_groups_the_rows(
    small: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = made(small, tmp_path / "t", "")
    stages = []
    for most in (10_000, -1):
        monkeypatch.setattr(few_vectors, "MOST_ROWS", most)
        counted = small.sparkContext._jsc.sc().dagScheduler().nextStageId
        before = counted()
        changed(small, table, *STEPS["a run of rows"][0])
        stages.append(counted() - before)
    assert stages[0] < stages[1]
