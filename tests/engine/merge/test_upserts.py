"""Source rows that match several target rows are written as often, however few jobs it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import forget_tables, jobs_so_far
from targets import with_conf

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.merge import matches

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom

UPSERT = (
    "MERGE INTO delta.`{path}` t USING s ON t.id = s.id"
    " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)


@pytest.fixture(params=[2, 10_000], ids=["kept", "held by the driver"])
def few(
    small: SparkSession, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> int:
    """Of so many rows the driver holds the matches."""
    rows: int = request.param
    monkeypatch.setattr(matches, "FEW_ROWS", rows)
    return rows


def upserted(spark: SparkSession, path: Path, *, twice: str, partitions: int, rows: int) -> int:
    """Spark jobs of an upsert of so many rows, the later half new, in so many partitions.

    The table has the ids that meet the condition twice.
    """
    spark.sql(
        f"CREATE TABLE delta.`{path}` (id LONG, v STRING) USING delta"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"
    )
    old = spark.range(rows // 2).selectExpr("id", "'old' AS v")
    old = old.union(old.where(twice)).coalesce(1)
    old.write.format("delta").mode("append").save(str(path))
    source = spark.range(0, rows, 1, partitions).selectExpr("id", "'new' AS v")
    source.createOrReplaceTempView("s")
    before = jobs_so_far(spark)
    result = engine.merge_into(spark, UPSERT.format(path=path))
    assert result.route == "deletion_vectors"
    took = jobs_so_far(spark) - before
    forget_tables(spark)
    return took


@pytest.mark.usefixtures("few")
@pytest.mark.share(2)
@pytest.mark.parametrize(("partitions", "rows"), [(1, 6), (5, 4_000), (3, 40_000)])
def test_each_pair_of_a_source_row_is_written(
    small: SparkSession, tmp_path: Path, partitions: int, rows: int
) -> None:
    upserted(small, tmp_path / "t", twice="id % 3 = 0", partitions=partitions, rows=rows)
    table = small.read.format("delta").load(str(tmp_path / "t"))
    assert table.where("v = 'old'").isEmpty()
    twice = table.groupBy("id").count().where("count = 2").select("id")
    expected = small.range(rows // 2).where("id % 3 = 0")
    assert twice.exceptAll(expected).isEmpty()
    assert expected.exceptAll(twice).isEmpty()
    assert table.select("id").distinct().count() == rows


@pytest.mark.usefixtures("few")
def test_no_job_looks_for_repeated_pairs_where_the_count_shows_that_there_are_none(
    small: SparkSession, tmp_path: Path
) -> None:
    upserted(small, tmp_path / "first", twice="false", partitions=5, rows=4_000)
    once = upserted(small, tmp_path / "once", twice="false", partitions=5, rows=4_000)
    several = upserted(small, tmp_path / "several", twice="id = 7", partitions=5, rows=4_000)
    assert once < several


def test_no_job_reads_the_matches_again_where_the_driver_holds_them(
    small: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upserted(small, tmp_path / "first", twice="false", partitions=2, rows=6)
    kept = upserted(small, tmp_path / "kept", twice="false", partitions=2, rows=6)
    monkeypatch.setattr(matches, "FEW_ROWS", 6)
    held = upserted(small, tmp_path / "held", twice="false", partitions=2, rows=6)
    assert held < kept


@pytest.mark.parametrize("code", ["FALLBACK", "NO_CODEGEN"])
def test_tasks_know_the_confs_of_the_session(
    small: SparkSession, tmp_path: Path, code: str, few: int
) -> None:
    """A map with a key twice is an error by default, also where the tasks evaluate it."""
    path = tmp_path / "t"
    small.sql("SELECT 1 AS id, 'old' AS v").write.format("delta").save(str(path))
    confs = {"spark.sql.mapKeyDedupPolicy": "LAST_WIN", "spark.sql.codegen.factoryMode": code}
    with with_conf(small, tuple(confs.items())):
        result = engine.merge_into(
            small,
            f"MERGE INTO delta.`{path}` t USING (SELECT 1 AS id, 'a:1,a:2' AS v) s ON t.id = s.id"
            " WHEN MATCHED AND element_at(str_to_map(s.v || if(t.id = 0, t.v, '')), 'a') = '2'"
            " THEN UPDATE SET *",
        )
    assert result.metrics.updated == 1


def test_more_matches_than_the_driver_holds_are_kept(
    small: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five source rows are few; the ten target rows that they match are not."""
    path = tmp_path / "t"
    monkeypatch.setattr(matches, "FEW_ROWS", 6)
    rows = small.sql("SELECT id % 5 AS id, 'old' AS v FROM range(0, 10, 1, 1)")
    rows.write.format("delta").option("delta.enableDeletionVectors", "true").save(str(path))
    small.sql("SELECT id, 'new' AS v FROM range(5)").createOrReplaceTempView("s")
    result = engine.merge_into(small, UPSERT.format(path=path))
    assert (result.route, result.metrics.updated) == ("deletion_vectors", 10)
    table = small.read.format("delta").load(str(path))
    assert sorted(map(tuple, table.collect())) == [(n // 2, "new") for n in range(10)]


ONLY_CHANGED = (
    "MERGE INTO delta.`{path}` t USING ({source}) s ON t.id = s.id"
    " WHEN MATCHED AND t.v <> s.v THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
)
AS_IT_IS = "SELECT id, 'old' AS v FROM range(0, 1000, 1, 1)"


@pytest.fixture(params=["true", "false"], ids=["vectors", "no vectors"])
def path(request: pytest.FixtureRequest, table_from: TableFrom, tmp_path: Path) -> Path:
    """Rows 0 to 999 in two files."""
    return table_from(
        tmp_path / "table",
        "CREATE TABLE {table} (id LONG, v STRING) USING delta"
        f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{request.param}')",
        "INSERT INTO {table} SELECT id, 'old' AS v FROM range(0, 500, 1, 1)",
        "INSERT INTO {table} SELECT id, 'old' AS v FROM range(500, 1000, 1, 1)",
    )


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize("vectors", ["true", "false"], ids=["vectors", "no vectors"])
def test_rows_as_they_are_cost_the_source_and_the_join(
    small: SparkSession, table_from: TableFrom, tmp_path: Path, vectors: str
) -> None:
    """In one file: the rows of two may share places of a bitmap, and are counted once more then.

    These places depend on the files' names: of two files of 500 rows one time in 64.
    """
    path = table_from(
        tmp_path / "table",
        "CREATE TABLE {table} (id LONG, v STRING) USING delta"
        f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{vectors}')",
        "INSERT INTO {table} SELECT id, 'old' AS v FROM range(0, 1000, 1, 1)",
    )
    before = jobs_so_far(small)
    result = engine.merge_into(small, ONLY_CHANGED.format(path=path, source=AS_IT_IS))
    assert (result.version, result.route) == (None, "no_op")
    assert jobs_so_far(small) - before <= 3


@pytest.mark.usefixtures("few")
@pytest.mark.share(4)
@pytest.mark.parametrize("changed", [0, 400])
@pytest.mark.parametrize("new", [0, 400])
def test_changed_and_new_rows_are_written_among_others(
    small: SparkSession, path: Path, changed: int, new: int
) -> None:
    of_source = (
        f"SELECT id, if(id < {changed}, 'new', 'old') AS v FROM range(0, {1000 + new}, 1, 2)"
    )
    result = engine.merge_into(small, ONLY_CHANGED.format(path=path, source=of_source))
    assert (result.metrics.updated, result.metrics.inserted) == (changed, new)
    table = small.read.format("delta").load(str(path))
    assert table.exceptAll(small.sql(of_source)).isEmpty()
    assert table.count() == 1000 + new


@pytest.mark.usefixtures("few")
def test_a_key_twice_is_an_error_also_where_nothing_changes(
    small: SparkSession, path: Path
) -> None:
    twice = f"{AS_IT_IS} UNION ALL SELECT 7, 'old'"
    with pytest.raises(engine.DuplicateMatchError):
        engine.merge_into(small, ONLY_CHANGED.format(path=path, source=twice))
