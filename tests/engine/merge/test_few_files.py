"""Of few files those are read that Delta's data skipping would leave, without its query."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.change.request import ChangeRequest, resolve_change
from dbt.adapters.deltaspark.engine.delta import data_skipping
from dbt.adapters.deltaspark.engine.delta.jvm import Jvm, active, confs
from dbt.adapters.deltaspark.engine.delta.transactions import transaction
from dbt.adapters.deltaspark.engine.merge.bounds import may_hold

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.engine.plan import Bound

LONG = "a text that is longer than what statistics keep of it"
FILES = (
    "(1, 'apple', 3), (3, 'fig', 3)",
    "(5, 'kiwi', NULL), (9, 'straße', 4)",
    f"(7, '{LONG}', 9), (7, '{LONG} 😀', 9), (8, NULL, 9)",
)
BOUNDS: list[tuple[Bound, ...]] = [
    (("id", 3, 3),),
    (("id", 4, 4),),
    (("id", 6, 8),),
    (("id", -9, 100),),
    (("v", "fig", "grape"),),
    (("v", "kiwi and more", "z"),),
    (("v", "s", "t"),),
    (("v", f"{LONG} 2", f"{LONG} 3"),),
    (("v", "b", "c"),),
    (("n", 4, 8),),
    (("id", 1, 5), ("n", 3, 3)),
]


@pytest.fixture
def table(small: SparkSession, tmp_path: Path) -> str:
    name = f"delta.`{tmp_path / 'table'}`"
    small.sql(
        f"CREATE TABLE {name} (id LONG, v STRING, n INT) USING delta"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"
    )
    for rows in FILES:
        small.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}")
    return name


@pytest.mark.share(2)
@pytest.mark.parametrize("bounds", BOUNDS)
def test_the_files_are_those_that_delta_chooses(
    small: SparkSession, table: str, bounds: tuple[Bound, ...]
) -> None:
    condition = " AND ".join(f"{name} BETWEEN {low!r} AND {high!r}" for name, low, high in bounds)
    jvm = Jvm.private(small)
    with active(jvm):
        resolved = resolve_change(ChangeRequest(small, table, condition), jvm)
        with transaction(jvm, *resolved.table) as txn:
            asked, told = [resolved.condition], []

            def holds(statistics: Mapping[str, Any]) -> bool | None:
                told.append(may_hold(bounds, statistics))
                return told[-1]

            chosen = txn.read_files(asked, holds).java
            assert len(told) == len(FILES)
            assert None not in told
            theirs = txn.snapshot.filesForScan(jvm.seq(asked), True).files()
            assert {file.path() for file in jvm.items(chosen)} == {
                file.path() for file in jvm.items(theirs)
            }


def test_a_small_merge_asks_no_query_which_files_to_read(
    small: SparkSession, table: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_skipping, "_by_statistics", None)
    result = upserted(small, table, "(3L, 'plum', 3)")
    assert "files: 1 of 3" in result.plan.explain()
    assert result.metrics.updated == 1


def test_statistics_that_are_switched_off_are_not_used(small: SparkSession, table: str) -> None:
    with confs(Jvm(small), {"spark.databricks.delta.stats.skipping": "false"}):
        result = upserted(small, table, "(4L, 'plum', 3)")
    assert "files: 3 of 3" in result.plan.explain()


def test_names_that_columns_had_before_are_not_looked_for(small: SparkSession, table: str) -> None:
    """In the statistics the key is still called n, and another column id."""
    small.sql(f"ALTER TABLE {table} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    for old, new in (("id", "was"), ("n", "id"), ("was", "n")):
        small.sql(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    result = upserted(small, table, "(9, 'plum', 100)")
    assert "files: 1 of 3" in result.plan.explain()
    assert (result.metrics.updated, result.metrics.inserted) == (3, 0)


def upserted(small: SparkSession, table: str, rows: str) -> engine.MergeResult:
    small.sql(f"SELECT * FROM VALUES {rows} AS v(id, v, n)").createOrReplaceTempView("new_rows")
    return engine.merge_into(
        small,
        f"MERGE INTO {table} t USING new_rows s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    )
