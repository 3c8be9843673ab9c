"""What is left when another writer comes in between is what one of the two orders would leave.

Every read that the outcome depends on is recorded in the transaction that commits, or made again.
"""

from __future__ import annotations

import importlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from shares import of_turn
from sorted_rows import rows_of

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom

    Rival = Callable[[str], None]

# The package exports functions of these names.
replays = importlib.import_module("dbt.adapters.deltaspark.engine.merge.replays")
write = importlib.import_module("dbt.adapters.deltaspark.engine.write.conductor")

MAPPED = "'delta.columnMapping.mode' = 'name'"


def made(table_from: TableFrom, path: Path, *, vectors: bool, more: str = "") -> str:
    on = str(vectors).lower()
    properties = ", ".join(filter(None, [f"'delta.enableDeletionVectors' = '{on}'", more]))
    table_from(
        path,
        "CREATE TABLE {table} (id BIGINT, v STRING, n BIGINT) USING delta"
        f" TBLPROPERTIES ({properties})",
        "INSERT INTO {table} SELECT /*+ COALESCE(1) */ id, concat('v', id), id FROM range(1, 6)",
    )
    return f"delta.`{path}`"


@pytest.fixture(params=of_turn([True, False], 2), ids={True: "vectors", False: "no_vectors"}.get)
def table(request: pytest.FixtureRequest, table_from: TableFrom, tmp_path: Path) -> str:
    return made(table_from, tmp_path / "target", vectors=request.param, more=MAPPED)


@pytest.fixture
def once_before(
    small: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Callable[[object, str, Sequence[str]], None]:
    """Lets another writer's statements land right before the first call of a step."""

    def arrange(owner: object, step: str, statements: Sequence[str]) -> None:
        original, rivals = getattr(owner, step), list(statements)

        def interrupted(*values: Any, **options: Any) -> Any:
            with ThreadPoolExecutor(1) as elsewhere:
                while rivals:
                    elsewhere.submit(small.newSession().sql, rivals.pop(0)).result()
            return original(*values, **options)

        monkeypatch.setattr(owner, step, interrupted)

    return arrange


REPLACED = [
    pytest.param({"replace_using": ["id"]}, id="replace_using"),
    pytest.param(
        {"replace_on": "t.id = s.id", "target_alias": "t", "source_alias": "s"}, id="replace_on"
    ),
]


@pytest.mark.share(4)
@pytest.mark.parametrize("how", REPLACED)
def test_rows_computed_from_the_ones_they_replace_see_another_writer_s_update(
    small: SparkSession, table: str, how: dict[str, Any], before_our_commit: Rival
) -> None:
    source = small.sql(f"SELECT id, concat(v, '+ours') AS v, n FROM {table} WHERE id = 3")
    before_our_commit(f"UPDATE {table} SET v = concat(v, '+rival') WHERE id = 3")
    target = engine.DeltaTarget.for_name(small, table)
    result = engine.write(source, target, "overwrite", **how)
    assert (3, "v3+rival+ours", 3) in rows_of(small, table)
    assert result.retries == 1


def test_an_update_between_the_look_at_the_table_and_the_transaction_is_seen(
    small: SparkSession, table: str, once_before: Callable[[object, str, Sequence[str]], None]
) -> None:
    source = small.sql(f"SELECT id, concat(v, '+ours') AS v, n FROM {table} WHERE id = 3")
    rival = f"UPDATE {table} SET v = concat(v, '+rival') WHERE id = 3"
    once_before(write, "transaction", [rival])
    target = engine.DeltaTarget.for_name(small, table)
    engine.write(source, target, "overwrite", replace_using=["id"])
    assert (3, "v3+rival+ours", 3) in rows_of(small, table)


def test_a_column_that_another_writer_added_keeps_its_values_in_rows_that_stay(
    small: SparkSession, table: str, once_before: Callable[[object, str, Sequence[str]], None]
) -> None:
    rivals = [f"ALTER TABLE {table} ADD COLUMNS (w BIGINT)", f"UPDATE {table} SET w = id"]
    once_before(write, "_commit", rivals)
    source = small.sql("SELECT 3L AS id, 'ours' AS v, 3L AS n")
    target = engine.DeltaTarget.for_name(small, table)
    engine.write(source, target, "overwrite", replace_using=["id"])
    assert rows_of(small, table, "id, w") == [(1, 1), (2, 2), (3, None), (4, 4), (5, 5)]


def test_a_column_that_another_writer_renamed_ends_in_an_error_and_nothing_is_written(
    small: SparkSession, table: str, once_before: Callable[[object, str, Sequence[str]], None]
) -> None:
    once_before(write, "_commit", [f"ALTER TABLE {table} RENAME COLUMN n TO m"])
    source = small.sql("SELECT 3L AS id, 'ours' AS v, 3L AS n")
    target = engine.DeltaTarget.for_name(small, table)
    with pytest.raises(Exception, match="DELTA_METADATA_MISMATCH"):
        engine.write(source, target, "overwrite", replace_using=["id"])
    assert (3, "v3", 3) in rows_of(small, table)


def test_two_writes_that_read_each_other_s_row_do_not_swap_them(
    small: SparkSession,
    table_from: TableFrom,
    tmp_path: Path,
    before_our_commit: Callable[..., None],
) -> None:
    table = made(table_from, tmp_path / "target", vectors=True)
    small.sql(f"INSERT INTO {table} VALUES (25, 'v25', 25)")
    target = engine.DeltaTarget.for_name(small, table)

    def copied(spark: SparkSession, row: int, other: int) -> engine.MergeResult:
        source = spark.sql(f"SELECT {row}L AS id, v, n FROM {table} WHERE id = {other}")
        return engine.write(source, target, "overwrite", replace_where=f"id = {row}")

    rival = small.newSession()
    before_our_commit(lambda: copied(rival, 3, 25))
    copied(small, 25, 3)
    left = {row[0]: row[2] for row in rows_of(small, table)}
    assert (left[3], left[25]) == (25, 25)


def test_delta_s_own_checks_of_a_merge_s_counts_hold(
    small: SparkSession, table_from: TableFrom, tmp_path: Path
) -> None:
    table = made(table_from, tmp_path / "target", vectors=True)
    text = f"""MERGE INTO {table} t USING (VALUES (1, 'x', 1), (9, 'y', 9) AS v(id, v, n)) s
        ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *
        WHEN NOT MATCHED BY SOURCE AND t.id = 2 THEN DELETE"""
    session = small.newSession()
    session.conf.set("spark.databricks.delta.commandInvariantChecksThrow", "true")
    metrics = engine.merge_into(session, text).metrics
    assert (metrics.inserted, metrics.updated, metrics.deleted) == (1, 1, 1)


READING_THE_TABLE = {
    "max": "SELECT max(id) + 1 AS id, 'ours' AS v, 0L AS n FROM {table}",
    "count": "SELECT count(*) + 100 AS id, 'ours' AS v, 0L AS n FROM {table}",
    "limit": "SELECT id + 100 AS id, v, n FROM (SELECT * FROM {table} LIMIT 100)",
    "exists": "SELECT 7L AS id, 'ours' AS v, 0L AS n WHERE EXISTS"
    " (SELECT 1 FROM {table} WHERE id = 5)",
}


@pytest.mark.share(4)
@pytest.mark.parametrize("source", READING_THE_TABLE.values(), ids=READING_THE_TABLE)
def test_rows_appended_are_those_of_the_table_that_the_other_writer_left(
    small: SparkSession, table: str, source: str, before_our_commit: Rival
) -> None:
    text = source.format(table=table)
    before_our_commit(f"DELETE FROM {table} WHERE id >= 4")
    engine.write(small.sql(text), engine.DeltaTarget.for_name(small, table))
    ours = rows_of(small, table)
    small.sql(f"RESTORE {table} TO VERSION AS OF 2").collect()
    small.sql(f"INSERT INTO {table} {text}")
    assert ours == rows_of(small, table)


def test_rows_read_from_the_table_s_change_data_feed_are_read_anew(
    small: SparkSession, table_from: TableFrom, tmp_path: Path, before_our_commit: Rival
) -> None:
    feed = "'delta.enableChangeDataFeed' = 'true'"
    table = made(table_from, tmp_path / "target", vectors=True, more=feed)
    feed_of = f"table_changes_by_path('{tmp_path / 'target'}', 0)"
    before_our_commit(f"INSERT INTO {table} VALUES (50, 'rival', 50)")
    source = small.sql(f"SELECT max(id) + 1 AS id, 'ours' AS v, 0L AS n FROM {feed_of}")
    engine.write(source, engine.DeltaTarget.for_name(small, table))
    assert (51, "ours", 0) in rows_of(small, table)


def test_a_value_that_an_update_reads_from_its_own_table_is_the_other_writer_s(
    small: SparkSession, table: str, before_our_commit: Rival
) -> None:
    before_our_commit(f"INSERT INTO {table} VALUES (100, 'rival', 100)")
    target = engine.DeltaTarget.for_name(small, table)
    target.update({"n": f"(SELECT max(n) FROM {table})"}, "id = 3")
    assert (3, "v3", 100) in rows_of(small, table)


def test_a_value_that_a_merge_reads_from_its_target_is_the_other_writer_s(
    small: SparkSession, table: str, once_before: Callable[[object, str, Sequence[str]], None]
) -> None:
    once_before(replays, "transaction", [f"INSERT INTO {table} VALUES (100, 'rival', 100)"])
    engine.merge_into(
        small,
        f"MERGE INTO {table} t USING (SELECT 3L AS id) s ON t.id = s.id"
        f" WHEN MATCHED THEN UPDATE SET n = (SELECT max(n) FROM {table})",
    )
    assert (3, "v3", 100) in rows_of(small, table)


DROPPED_AND_ADDED = ["ALTER TABLE {} DROP COLUMN v", "ALTER TABLE {} ADD COLUMNS (v STRING)"]


@pytest.mark.parametrize("with_sql", [True, False], ids=["with its query", "without"])
def test_rows_are_not_computed_from_a_column_that_was_dropped_meanwhile(
    small: SparkSession,
    table: str,
    with_sql: bool,
    once_before: Callable[[object, str, Sequence[str]], None],
) -> None:
    query = f"SELECT id, concat(v, '+ours') AS v, n FROM {table} WHERE id = 3"
    source, target = small.sql(query), engine.DeltaTarget.for_name(small, table)
    once_before(write, "_commit", [each.format(table) for each in DROPPED_AND_ADDED])
    if with_sql:
        engine.write(source, target, "overwrite", replace_using=["id"], source_sql=query)
    else:
        with pytest.raises(engine.SourceReadsTargetError, match="source_sql"):
            engine.write(source, target, "overwrite", replace_using=["id"])
    assert {row[-1] for row in rows_of(small, table, "id, n, v")} == {None}


PARTED = (
    "CREATE OR REPLACE TABLE {table} USING delta {layout}"
    " AS SELECT * FROM VALUES (3L, 'r', 7L), (4L, 'r', 8L) AS v(id, v, n)"
)


@pytest.mark.parametrize("layout", ["PARTITIONED BY (n)", "PARTITIONED BY (id, v)"])
def test_rows_are_read_from_the_partitions_that_another_writer_made_meanwhile(
    small: SparkSession,
    table_from: TableFrom,
    tmp_path: Path,
    layout: str,
    once_before: Callable[[object, str, Sequence[str]], None],
) -> None:
    table = made(table_from, tmp_path / "target", vectors=False)
    query = f"SELECT id + 10 AS id, v, n FROM {table} WHERE id = 3"
    source, target = small.sql(query), engine.DeltaTarget.for_name(small, table)
    once_before(write, "transaction", [PARTED.format(table=table, layout=layout)])
    engine.write(source, target, source_sql=query)
    assert rows_of(small, table) == [(3, "r", 7), (4, "r", 8), (13, "r", 7)]


@pytest.mark.parametrize("statement", ["merge", "update"])
def test_a_table_that_another_writer_made_one_of_delta_s_own_commands_is_left_alone(
    small: SparkSession, table: str, statement: str, before_our_commit: Rival
) -> None:
    before_our_commit(f"ALTER TABLE {table} ADD COLUMNS (_metadata STRING)")
    target = engine.DeltaTarget.for_name(small, table)
    with pytest.raises(engine.EngineError, match="hides _metadata.*nothing was written"):
        if statement == "merge":
            merge = f"MERGE INTO {table} t USING (SELECT 3L AS id) s ON t.id = s.id"
            engine.merge_into(small, f"{merge} WHEN MATCHED THEN UPDATE SET n = t.n + 1")
        else:
            target.update({"n": "n + 1"}, "id = 3")
    assert (3, "v3", 3) in rows_of(small, table, "id, v, n")
