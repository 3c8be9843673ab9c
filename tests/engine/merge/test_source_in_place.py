"""A source that only reads a Delta table is read in place, always at one version of it."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from targets import with_conf

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.merge import source, source_in_place

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

TARGET_ROWS = [(1, "old"), (2, "old"), (30, "old")]
SOURCE_ROWS = [(1, "a"), (2, "b"), (3, "c"), (4, "d")]
MERGED = [*SOURCE_ROWS, (30, "old")]
UPSERT = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"

IN_PLACE = {
    "the table": "TABLE new_rows",
    "its columns in another order": "SELECT v, id FROM new_rows",
    "renamed and computed columns": "SELECT id, concat(v, '') AS v, id + 1 AS next FROM new_rows",
    "a view over a view": "SELECT * FROM v2",
    "the moment of the merge": "SELECT id, v, current_timestamp() AS at FROM new_rows",
}
COPIED = {
    "a filter": "SELECT * FROM new_rows WHERE id > 0",
    "a limit": "SELECT * FROM new_rows LIMIT 100",
    "a join": "SELECT a.* FROM new_rows a JOIN new_rows b ON a.id = b.id",
    "an aggregate": "SELECT id, max(v) AS v FROM new_rows GROUP BY id",
    "a union": "SELECT id, v FROM new_rows UNION SELECT id, v FROM new_rows",
    "a random value": "SELECT id, v, rand() AS r FROM new_rows",
    "a subquery": "SELECT id, v, (SELECT max(id) FROM new_rows) AS most FROM new_rows",
    "a function in Python": "SELECT id, same(v) AS v FROM new_rows",
    "where its rows are stored": "SELECT id, v, _metadata.file_path FROM {table}",
    "a column named as Spark names that": "SELECT id, v, 1 AS _Metadata FROM new_rows",
    "a table that does not know deletion vectors": "TABLE plain_rows",
    "literal rows": "VALUES (1, 'a'), (2, 'b'), (3, 'c'), (4, 'd') AS s(id, v)",
}


def stored(rows: DataFrame, path: Path, *, vectors: bool = True) -> str:
    """The rows as a Delta table, and what SQL calls it."""
    writer = rows.write.format("delta")
    writer.option("delta.enableDeletionVectors", str(vectors).lower()).save(str(path))
    return f"delta.`{path}`"


@pytest.fixture(scope="module")
def tables(small: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A target; new rows in three files, one of them with a deleted row, and without vectors."""
    folder = tmp_path_factory.mktemp("in_place") / "tables"
    stored(small.createDataFrame(TARGET_ROWS, "id INT, v STRING"), folder / "target")
    rows = small.createDataFrame([*SOURCE_ROWS, (30, "gone")], "id INT, v STRING")
    name = stored(rows.repartition(3, "id"), folder / "new_rows")
    small.sql(f"DELETE FROM {name} WHERE id = 30")
    stored(rows.filter("id < 30"), folder / "plain_rows", vectors=False)
    return folder


@pytest.fixture
def target(new_rows: str, tmp_path: Path) -> str:
    return f"delta.`{tmp_path / 'target'}`"


@pytest.fixture(autouse=True)
def new_rows(small: SparkSession, tables: Path, tmp_path: Path) -> str:
    """The new rows' table, and views of it and of that without vectors."""
    shutil.copytree(tables, tmp_path, dirs_exist_ok=True)
    name = f"delta.`{tmp_path / 'new_rows'}`"
    for table in ("new_rows", "plain_rows"):
        read = small.read.format("delta").load(str(tmp_path / table))
        read.createOrReplaceTempView(table)
    small.sql("CREATE OR REPLACE TEMP VIEW v1 AS SELECT id AS i, v AS w FROM new_rows")
    small.sql("CREATE OR REPLACE TEMP VIEW v2 AS SELECT i AS id, w AS v FROM v1")
    small.udf.register("same", lambda text: text)
    return name


def upserted(small: SparkSession, target: str, rows: str = "TABLE new_rows") -> engine.MergeResult:
    statement = f"MERGE INTO {target} t USING ({rows}) s ON t.id = s.id {UPSERT}"
    return engine.merge_into(small, statement)


def rows_of(small: SparkSession, table: str) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in small.sql(f"SELECT id, v FROM {table}").collect())


def is_in_place(result: engine.MergeResult) -> bool:
    text = result.plan.explain()
    assert ("read in place" in text) != ("evaluated once" in text)
    return "read in place" in text


@pytest.mark.share(6)
@pytest.mark.parametrize("rows", IN_PLACE.values(), ids=IN_PLACE)
def test_the_columns_of_a_table_are_read_in_place(
    small: SparkSession, target: str, rows: str
) -> None:
    result = upserted(small, target, rows)
    assert is_in_place(result)
    assert rows_of(small, target) == MERGED
    assert result.metrics.as_dict()["numSourceRows"] == 4


def test_an_older_version_is_read_in_place(small: SparkSession, target: str, new_rows: str) -> None:
    assert is_in_place(upserted(small, target, f"SELECT * FROM {new_rows} VERSION AS OF 0"))
    assert rows_of(small, target) == [*SOURCE_ROWS, (30, "gone")]


@pytest.mark.share(6)
@pytest.mark.parametrize("rows", COPIED.values(), ids=COPIED)
def test_what_does_more_or_may_change_is_copied(
    small: SparkSession, target: str, new_rows: str, rows: str
) -> None:
    result = upserted(small, target, rows.format(table=new_rows))
    assert not is_in_place(result)
    assert rows_of(small, target) == MERGED


def test_the_target_as_its_own_source_is_copied(small: SparkSession, target: str) -> None:
    result = upserted(small, target, f"SELECT id, upper(v) AS v FROM {target}")
    assert not is_in_place(result)
    assert rows_of(small, target) == [(1, "OLD"), (2, "OLD"), (30, "OLD")]


def test_a_cached_source_is_copied_from_the_cache(small: SparkSession, target: str) -> None:
    small.table("new_rows").cache()
    try:
        assert not is_in_place(upserted(small, target))
    finally:
        small.table("new_rows").unpersist()
    assert rows_of(small, target) == MERGED


def test_the_session_may_want_sources_copied(small: SparkSession, target: str) -> None:
    conf = ("spark.databricks.delta.merge.materializeSource", "all")
    with with_conf(small, (conf,)):
        assert not is_in_place(upserted(small, target))
    assert rows_of(small, target) == MERGED


def test_a_small_table_is_copied(
    small: SparkSession, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source_in_place, "LEAST_BYTES", 10_000)
    assert not is_in_place(upserted(small, target))
    assert rows_of(small, target) == MERGED


def test_files_whose_ids_collide_make_a_copy(
    small: SparkSession, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "file_of", lambda row_id: row_id * 0)
    assert not is_in_place(upserted(small, target))
    assert rows_of(small, target) == MERGED


def test_rows_that_come_to_the_source_meanwhile_wait_for_the_next_merge(
    small: SparkSession, target: str, new_rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    merge = import_module("dbt.adapters.deltaspark.engine.merge.conductor")
    planned = merge.planned

    def interrupted(*given: Any) -> Any:
        rivals = (
            f"INSERT INTO {new_rows} VALUES (2, 'late'), (99, 'late')",
            f"DELETE FROM {new_rows} WHERE id = 1",
        )
        with ThreadPoolExecutor(1) as elsewhere:  # the transaction is this thread's
            list(elsewhere.map(small.newSession().sql, rivals))
        return planned(*given)

    monkeypatch.setattr(merge, "planned", interrupted)
    assert is_in_place(upserted(small, target))
    assert rows_of(small, target) == MERGED


def test_a_replay_reads_the_version_of_the_first_attempt(
    small: SparkSession,
    target: str,
    new_rows: str,
    before_our_commit: Callable[[str], None],
) -> None:
    before_our_commit(f"INSERT INTO {target} VALUES (4, 'rival')")
    result = upserted(small, target)
    assert result.retries == 1
    assert is_in_place(result)
    assert rows_of(small, target) == MERGED


def test_several_matches_name_the_key(small: SparkSession, target: str, new_rows: str) -> None:
    small.sql(f"INSERT INTO {new_rows} VALUES (2, 'again')")
    with pytest.raises(engine.DuplicateMatchError, match="id = 2"):
        upserted(small, target)
    assert rows_of(small, target) == TARGET_ROWS


def test_every_part_of_a_merge_sees_the_same_moment(small: SparkSession, target: str) -> None:
    statement = f"""MERGE INTO {target} t
        USING (SELECT id, current_timestamp() AS at FROM new_rows) s ON t.id = s.id
        WHEN MATCHED AND s.at = current_timestamp() THEN UPDATE SET v = 'now'
        WHEN NOT MATCHED AND s.at = now() THEN INSERT (id, v) VALUES (s.id, 'now')"""
    assert is_in_place(engine.merge_into(small, statement))
    assert rows_of(small, target) == [(1, "now"), (2, "now"), (3, "now"), (4, "now"), (30, "old")]


@pytest.fixture
def narrow(small: SparkSession, tmp_path: Path) -> DataFrame:
    """A table with a file from before its key was widened."""
    name = f"delta.`{tmp_path / 'narrow'}`"
    properties = "'delta.enableTypeWidening' = 'true', 'delta.enableDeletionVectors' = 'true'"
    columns = "id DECIMAL(5,2), v STRING"
    small.sql(f"CREATE TABLE {name} ({columns}) USING delta TBLPROPERTIES ({properties})")
    small.sql(f"INSERT INTO {name} VALUES (1, 'new')")
    small.sql(f"ALTER TABLE {name} ALTER COLUMN id TYPE DECIMAL(10,2)")
    small.sql(f"INSERT INTO {name} VALUES (30000000, 'new')")
    return small.table(name)


@pytest.fixture
def wide(small: SparkSession, tmp_path: Path) -> engine.DeltaTarget:
    rows = small.createDataFrame([(1, "old"), (40_000_000, "old")], "id INT, v STRING").coalesce(1)
    stored(rows.selectExpr("CAST(id AS DECIMAL(10,2)) AS id", "v"), tmp_path / "wide")
    return engine.DeltaTarget.for_path(small, str(tmp_path / "wide"))


REPLACED = [(1, "new"), (30_000_000, "new"), (40_000_000, "old")]


def test_a_data_frames_key_is_found_in_a_file_of_a_narrower_type(
    small: SparkSession, wide: engine.DeltaTarget, narrow: DataFrame
) -> None:
    merge = wide.merge(narrow, "t.id = s.id", source_alias="s", target_alias="t")
    result = merge.when_matched_update_all().when_not_matched_insert_all().execute()
    assert is_in_place(result)
    assert rows_of(small, wide.name) == REPLACED


def test_rows_give_way_to_a_key_in_a_file_of_a_narrower_type(
    small: SparkSession, wide: engine.DeltaTarget, narrow: DataFrame
) -> None:
    engine.write(narrow, wide, "overwrite", replace_using=["id"])
    assert rows_of(small, wide.name) == REPLACED


@pytest.mark.parametrize("vectors", [True, False], ids=["vectors", "no_vectors"])
def test_conditions_of_clauses_find_negative_zeros_in_the_source(
    small: SparkSession, tmp_path: Path, vectors: bool
) -> None:
    old = small.createDataFrame([(1, "old"), (2, "old")], "id INT, v STRING").coalesce(1)
    target = stored(old, tmp_path / "zeros", vectors=vectors)
    rows = [(1, "new", -0.0), (3, "new", -0.0), (2, "five", 5.0), (4, "five", 5.0)]
    source = small.createDataFrame(rows, "id INT, v STRING, d DOUBLE").coalesce(1)
    name = stored(source, tmp_path / "negative")
    for clause in (
        "WHEN NOT MATCHED AND s.d <=> 0.0D THEN INSERT (id, v) VALUES (s.id, s.v)",
        "WHEN MATCHED AND s.d <=> 0.0D THEN UPDATE SET v = s.v",
    ):
        statement = f"MERGE INTO {target} t USING {name} s ON t.id = s.id {clause}"
        assert is_in_place(engine.merge_into(small, statement))
    assert rows_of(small, target) == [(1, "new"), (2, "old"), (3, "new")]


def test_a_negative_zero_comes_into_an_empty_table(small: SparkSession, tmp_path: Path) -> None:
    target = stored(small.createDataFrame([], "id INT, d DOUBLE"), tmp_path / "empty")
    source = small.createDataFrame([(1, -0.0), (2, -0.0)], "id INT, d DOUBLE").coalesce(1)
    name = stored(source, tmp_path / "negative")
    statement = f"""MERGE INTO {target} t USING {name} s ON t.id = s.id
        WHEN NOT MATCHED AND s.d <=> 0.0D THEN INSERT *"""
    assert is_in_place(engine.merge_into(small, statement))
    assert small.table(target).count() == 2
