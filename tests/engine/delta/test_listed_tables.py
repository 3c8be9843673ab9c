"""Queries of small tables have the rows that Delta finds, and ask Spark for no file of theirs."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from sessions import forget_tables, jobs_so_far
from targets import with_conf

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import listed_tables
from dbt.adapters.deltaspark.engine.delta.listed_tables import reading_as_listed
from dbt.adapters.deltaspark.engine.merge import source_in_place

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

COLUMNS = "id INT, v STRING, n STRUCT<a: INT>, p INT, day DATE, fixed CHAR(4)"
ROWS = ", ".join(
    f"({i}, 'v{i}', named_struct('a', {i}), {i % 3}, DATE'2026-01-0{1 + i % 9}', 'c{i % 2}')"
    for i in range(30)
)
QUERIES = (
    "SELECT * FROM {t}",
    "SELECT count(*) FROM {t}",
    "SELECT count(*) AS failures, count(*) != 0 AS should_warn"
    " FROM (SELECT v FROM {t} WHERE v IS NULL) dbt_internal_test",
    "SELECT p, count(*), max(day) FROM {t} WHERE id > 3 GROUP BY p HAVING count(*) > 1",
    "SELECT a.id, b.v FROM {t} a JOIN {t} b ON a.id = b.id + 1 WHERE a.p = 1",
    "SELECT a.id, a.v FROM {t} a LEFT ANTI JOIN {o} b ON a.id = b.id",
    "WITH c AS (SELECT * FROM {t} WHERE p < 2) SELECT x.id FROM c x JOIN c y ON x.id = y.p",
    "SELECT id FROM {t} WHERE id = (SELECT max(id) FROM {t})",
    "SELECT id FROM {t} WHERE id IN (SELECT id FROM {o})",
    "SELECT * FROM {t} WHERE p = 2 AND fixed = 'c0'",
    "SELECT id, p FROM {t} WHERE p IS NULL OR n.a = 5",
    "SELECT a.id FROM {t} VERSION AS OF 1 a FULL JOIN {t} b ON a.id = b.id",
    "SELECT id, _metadata.file_name FROM {t}",
    "SELECT id FROM {t} UNION ALL SELECT id FROM {o}",
    "SELECT * FROM {t} ORDER BY id LIMIT 3",
    "SELECT id, row_number() OVER (PARTITION BY p ORDER BY id) FROM {t}",
    "SELECT 1",
)
LEFT_TO_DELTA = {
    "SELECT id FROM {t} WHERE id = (SELECT max(id) FROM {t})",
    "SELECT 1",
}
SHAPES = {
    "plain": "",
    "vectors": "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
    "partitioned": "PARTITIONED BY (p, day) TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
    "mapped": "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
    "tracked": "TBLPROPERTIES ('delta.enableRowTracking' = 'true')",
}


@pytest.fixture(autouse=True)
def forgotten(small: SparkSession) -> Iterator[None]:
    yield
    forget_tables(small)


def made(spark: SparkSession, folder: Path, shape: str) -> dict[str, str]:
    """A table that was merged into and has lost rows, and another one."""
    names = {name: f"delta.`{folder / name}`" for name in "to"}
    # Delta itself cannot change rows of a CHAR column where it tracks rows.
    columns = COLUMNS.replace("CHAR(4)", "STRING") if shape == "tracked" else COLUMNS
    for name in names.values():
        spark.sql(f"CREATE TABLE {name} ({columns}) USING delta {SHAPES[shape]}")
        spark.sql(f"INSERT INTO {name} VALUES {ROWS}")
        spark.sql(f"DELETE FROM {name} WHERE id % 5 = 0")
    if shape == "mapped":
        spark.sql(f"ALTER TABLE {names['t']} RENAME COLUMN v TO w")
        spark.sql(f"ALTER TABLE {names['t']} RENAME COLUMN w TO v")
    merged_into(spark, names["t"])
    return names


@pytest.fixture(scope="module", params=SHAPES)
def each_shape(
    small: SparkSession, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> dict[str, str]:
    return made(small, tmp_path_factory.mktemp(str(request.param)), str(request.param))


@pytest.fixture(scope="module")
def tables(small: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return made(small, tmp_path_factory.mktemp("tables"), "vectors")


def merged_into(spark: SparkSession, table: str) -> None:
    source = "(SELECT * FROM VALUES (1, 'new'), (100, 'new') AS s(id, v)) s"
    engine.merge_into(
        spark,
        f"MERGE INTO {table} t USING {source} ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (id, v)",
    )


def rows_of(frame: DataFrame) -> list[str]:
    return sorted(map(str, frame.collect()))


def is_listed(frame: DataFrame) -> bool:
    return reading_as_listed(frame) is not frame


@pytest.mark.share(36)
@pytest.mark.parametrize("query", QUERIES)
def test_the_rows_are_those_that_delta_finds(
    small: SparkSession, each_shape: dict[str, str], query: str
) -> None:
    frame = small.sql(query.format(**each_shape))
    listed = reading_as_listed(frame)
    assert (listed is frame) == (query in LEFT_TO_DELTA)
    assert listed.schema == frame.schema
    assert rows_of(listed) == rows_of(small.sql(query.format(**each_shape)))


def test_the_first_query_after_a_commit_is_its_own_job_alone(
    small: SparkSession, tables: dict[str, str]
) -> None:
    merged_into(small, tables["t"])
    before = jobs_so_far(small)
    reading_as_listed(small.sql(f"SELECT id FROM {tables['t']} WHERE v IS NULL")).collect()
    assert jobs_so_far(small) == before + 1


def test_a_merge_asks_for_no_file_of_its_source(
    small: SparkSession, tables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_in_place, "LEAST_BYTES", 1_000_000)
    counted = []
    for source in (tables["o"], "o_rows"):
        small.table(tables["o"]).localCheckpoint().createOrReplaceTempView("o_rows")
        forget_tables(small)
        before = jobs_so_far(small)
        engine.merge_into(
            small,
            f"MERGE INTO {tables['t']} t USING {source} s ON t.id = s.id AND t.id < 0"
            " WHEN MATCHED THEN UPDATE SET v = s.v",
        )
        counted.append(jobs_so_far(small) - before)
    assert counted[0] == counted[1]


def test_both_sides_of_a_join_are_one_version(small: SparkSession, tables: dict[str, str]) -> None:
    table = tables["t"]
    both = f"SELECT count(*) FROM {table} a JOIN {table} b ON a.id = b.id"
    listed = reading_as_listed(small.sql(both))
    found = listed.collect()
    merged_into(small, table)
    small.sql(f"DELETE FROM {table} WHERE id = 2")
    assert listed.collect() == found
    assert reading_as_listed(small.sql(both)).collect() == small.sql(both).collect()


def test_a_table_that_a_subquery_reads_too_is_left_to_delta(
    small: SparkSession, tables: dict[str, str]
) -> None:
    t, o = tables["t"], tables["o"]
    assert not is_listed(small.sql(f"SELECT * FROM {t} WHERE id = (SELECT max(id) FROM {t})"))
    assert is_listed(small.sql(f"SELECT * FROM {t} WHERE id = (SELECT max(id) FROM {o})"))


def test_what_spark_has_cached_is_used(small: SparkSession, tables: dict[str, str]) -> None:
    kept = small.table(tables["o"]).cache()
    assert not is_listed(small.table(tables["o"]))
    kept.unpersist()
    assert is_listed(small.table(tables["o"]))


def test_a_view_and_a_query_of_it_are_listed(small: SparkSession, tables: dict[str, str]) -> None:
    small.sql(f"SELECT id, v FROM {tables['t']}").createOrReplaceTempView("of_t")
    assert is_listed(small.sql("SELECT v FROM of_t WHERE id > 3"))


def test_statistics_choose_the_files_of_a_larger_table(
    small: SparkSession, tables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_listed(small.table(tables["t"]))
    monkeypatch.setattr(listed_tables, "MOST_BYTES", 1)
    assert not is_listed(small.table(tables["t"]))


def test_another_time_zone_is_left_to_delta(small: SparkSession, tables: dict[str, str]) -> None:
    """Delta itself doubts the list there."""
    assert is_listed(small.table(tables["t"]))
    with with_conf(small, (("spark.sql.session.timeZone", "Europe/Berlin"),)):
        assert not is_listed(small.table(tables["t"]))


def test_a_table_that_is_gone_is_delta_s_error(
    small: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("gone") / "t"
    small.range(3).write.format("delta").save(str(folder))
    frame = small.sql(f"SELECT * FROM delta.`{folder}`")
    shutil.rmtree(folder)
    forget_tables(small)
    assert reading_as_listed(frame) is frame


def test_rows_of_no_table_stay(small: SparkSession) -> None:
    frame = small.range(3)
    assert reading_as_listed(frame) is frame
