"""Files that no key of the source can be in are not read, whatever lies between its keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

DAY = "date_add(DATE'2020-01-01', cast({} as int))"
KEYS = {
    "bigint": "{}",
    "smallint": "cast({} as smallint)",
    "double": "cast({} as double) / 4",
    "decimal": "cast({} as decimal(20, 2)) / 4",
    "date": DAY,
    "timestamp": f"cast({DAY} as timestamp)",
    "a negative bigint": "9223372036854775807 - 4000000000000000 * {}",
}
UPSERT = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"


def table_of(small: SparkSession, path: Path, key: str) -> str:
    """1,600 rows in 16 files, in the order of the key, which is named as the engine might."""
    rows = small.range(0, 1600, 1, 16).selectExpr(f"{key.format('id')} AS slice", "id AS v")
    rows.write.format("delta").save(str(path))
    return f"delta.`{path}`"


def source_of(small: SparkSession, key: str, numbers: str) -> None:
    rows = small.sql(f"SELECT explode(array({numbers})) AS id")
    rows.selectExpr(f"{key.format('id')} AS slice", "-1L AS v").createOrReplaceTempView("new_rows")


def upserted(small: SparkSession, table: str) -> engine.MergeResult:
    statement = f"MERGE INTO {table} t USING new_rows s ON t.slice = s.slice {UPSERT}"
    return engine.merge_into(small, statement)


@pytest.mark.share(3)
@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_ranges_leave_out_the_files_between_them(
    small: SparkSession, tmp_path: Path, key: str
) -> None:
    table = table_of(small, tmp_path / "t", key)
    source_of(small, key, "7L, 9L, 55L, 1542L, 1599L, 1600L")
    result = upserted(small, table)
    text = result.plan.explain()
    assert "files: 2 of 16" in text
    assert "pruned by: the source's values of slice, in " in text
    changed = small.sql(f"SELECT count(*), count_if(v = -1), sum(v) FROM {table}").first()
    gone = 7 + 9 + 55 + 1542 + 1599
    assert tuple(changed) == (1601, 6, sum(range(1600)) - gone - 6)


def test_keys_everywhere_are_one_range(small: SparkSession, tmp_path: Path) -> None:
    table = table_of(small, tmp_path / "t", "{}")
    source_of(small, "{}", ", ".join(f"{each}L" for each in range(0, 1600, 2)))
    merge = upserted(small, table)
    assert "pruned by: the source's values of slice\n" in merge.plan.explain()
    assert merge.metrics.as_dict()["numTargetRowsUpdated"] == 800


def test_null_keys_and_rows_by_source_are_read_beside_the_ranges(
    small: SparkSession, tmp_path: Path
) -> None:
    table = table_of(small, tmp_path / "t", "if({0} = 900, null, {0})")
    source_of(small, "{}", "7L, 1599L, NULL")
    merge = engine.merge_into(
        small,
        f"MERGE INTO {table} t USING new_rows s ON t.slice <=> s.slice"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED BY SOURCE AND t.slice = 300 THEN DELETE",
    )
    assert "files: 4 of 16" in merge.plan.explain()
    assert {row["v"] for row in small.sql(f"SELECT v FROM {table} WHERE v < 0").collect()} == {-1}
    counts = merge.metrics.as_dict()
    assert (counts["numTargetRowsUpdated"], counts["numTargetRowsDeleted"]) == (3, 1)


@pytest.mark.share(2)
@pytest.mark.parametrize("odd", ["NaN", "Infinity", "-Infinity", "-1.7e308", "1.7e308"])
def test_numbers_without_a_range_match_as_others(
    small: SparkSession, tmp_path: Path, odd: str
) -> None:
    table = table_of(
        small, tmp_path / "t", f"if({{0}} = 900, double('{odd}'), cast({{0}} as double))"
    )
    source_of(small, "if({0} = 2, double('" + odd + "'), cast({0} as double))", "1L, 2L, 1599L")
    result = upserted(small, table)
    assert result.metrics.as_dict()["numTargetRowsUpdated"] == 3


def test_ranges_outside_of_a_narrower_key_match_nothing(
    small: SparkSession, tmp_path: Path
) -> None:
    table = table_of(small, tmp_path / "t", "cast({} as smallint)")
    source_of(small, "{}", "-100000L, 100000L")
    merge = engine.merge_into(
        small,
        f"MERGE INTO {table} t USING new_rows s ON t.slice = s.slice WHEN MATCHED THEN DELETE",
    )
    assert (merge.route, merge.version) == ("no_op", None)
    assert "no file can hold a row that matches" in merge.plan.explain()


@pytest.mark.parametrize(("theirs", "retries"), [(800, 0), (98, 1)])
def test_a_writer_between_the_ranges_is_no_conflict(
    small: SparkSession,
    tmp_path: Path,
    before_our_commit: Callable[[str], None],
    theirs: int,
    retries: int,
) -> None:
    table = table_of(small, tmp_path / "t", "{}")
    source_of(small, "{}", "97L, 99L, 1599L")
    before_our_commit(f"INSERT INTO {table} VALUES ({theirs}, -2)")
    result = upserted(small, table)
    assert (result.version, result.retries) == (2, retries)
    counts = small.sql(f"SELECT count_if(v = -1), count_if(v = -2) FROM {table}").first()
    assert tuple(counts) == (3, 1)
