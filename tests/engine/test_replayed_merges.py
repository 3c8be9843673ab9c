"""A merge that is replayed after another writer's commit, and the pause before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sorted_rows import rows_of

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import conflicts

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

IN_ANOTHER_ORDER = "ALTER TABLE {source} ALTER COLUMN a AFTER b"
IN_FRONT = "ALTER TABLE {source} ADD COLUMNS (id0 BIGINT FIRST)"
AT_THE_END = "ALTER TABLE {source} ADD COLUMNS (c BIGINT)"
UPSERT = "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
MERGES = {
    "star": (f"MERGE INTO {{table}} t USING {{source}} s ON t.id = s.id {UPSERT}", IN_FRONT),
    "by name": (
        "MERGE INTO {table} t USING (SELECT * FROM {source}) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = s.a, b = s.b"
        " WHEN NOT MATCHED THEN INSERT (id, a, b) VALUES (s.id, s.a, s.b)",
        IN_ANOTHER_ORDER,
    ),
    "by the path of the source": (
        "MERGE INTO {table} t USING {source} ON t.id = {source}.id"
        " WHEN MATCHED THEN UPDATE SET a = {source}.a, b = {source}.b",
        IN_FRONT,
    ),
    "with schema evolution": (
        f"MERGE WITH SCHEMA EVOLUTION INTO {{table}} t USING {{source}} s ON t.id = s.id {UPSERT}",
        AT_THE_END,
    ),
    "by the names of joined tables": (
        "MERGE INTO {table} t USING (SELECT upper(s.a) AS k, s.id, x.a, x.b FROM {source} s"
        " JOIN {source} x ON s.id = x.id) ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET a = x.a, b = x.b",
        IN_FRONT,
    ),
    "with a common table": (
        "WITH c AS (SELECT * FROM {source}) MERGE INTO {table} t USING c s"
        " ON t.id = s.id WHEN MATCHED THEN UPDATE SET *",
        IN_ANOTHER_ORDER,
    ),
}


@pytest.mark.share(4)
@pytest.mark.parametrize(("text", "change"), MERGES.values(), ids=MERGES)
def test_a_merge_that_is_replayed_keeps_the_columns_of_the_rows_it_has_evaluated(
    small: SparkSession,
    tmp_path: Path,
    text: str,
    change: str,
    before_our_commit: Callable[..., None],
) -> None:
    table, source = (f"delta.`{tmp_path / name}`" for name in ("target", "source"))
    small.sql(f"CREATE TABLE {table} (id BIGINT, a BIGINT, b BIGINT) USING delta")
    small.sql(f"INSERT INTO {table} VALUES (1, 0, 0), (2, 0, 0)")
    small.sql(f"CREATE TABLE {source} (id BIGINT, a BIGINT, b BIGINT) USING delta")
    small.sql(f"INSERT INTO {source} VALUES (1, 10, 100)")
    rival = small.newSession()

    def both() -> None:
        rival.sql(change.format(source=source))
        rival.sql(f"UPDATE {table} SET b = 5 WHERE id = 1")

    before_our_commit(both)
    result = engine.merge_into(small, text.format(table=table, source=source))
    assert result.retries == 1
    assert small.table(table).columns == ["id", "a", "b"]
    assert rows_of(small, table) == [(1, 10, 100), (2, 0, 0)]


RETYPED = {
    "text to numbers": ("STRING", "BIGINT"),
    "numbers to text": ("BIGINT", "STRING"),
}


@pytest.mark.share(4)
@pytest.mark.parametrize("replacing", [False, True], ids=["merge", "replace_using"])
@pytest.mark.parametrize(("was", "becomes"), RETYPED.values(), ids=RETYPED)
def test_keys_that_another_writer_gives_another_type_are_found_by_their_new_values(
    small: SparkSession,
    tmp_path: Path,
    was: str,
    becomes: str,
    *,
    replacing: bool,
    before_our_commit: Callable[..., None],
) -> None:
    """As text, 10 comes before 9: what was the range of the source's keys is none."""
    table = f"delta.`{tmp_path / 'target'}`"
    rows = "SELECT CAST(id AS {kind}) AS id, '{v}' AS v FROM VALUES (9), (10) AS old(id)"
    small.sql(f"CREATE TABLE {table} (id {was}, v STRING) USING delta")
    source = small.sql(rows.format(kind="STRING", v="new"))
    rival, old = small.newSession(), rows.format(kind=becomes, v="old")
    before_our_commit(
        lambda: rival.sql(f"CREATE OR REPLACE TABLE {table} USING delta AS {old}") and None
    )
    target = engine.DeltaTarget.for_name(small, table)
    if replacing:
        result = engine.write(source, target, "overwrite", replace_using=["id"])
    else:
        result = (
            target.merge(source, "t.id = s.id", source_alias="s", target_alias="t")
            .when_matched_update({"v": "s.v"})
            .when_not_matched_insert({"id": "s.id", "v": "s.v"})
            .execute()
        )
    assert result.retries == 1
    assert rows_of(small, f"(SELECT CAST(id AS INT) AS id, v FROM {table})") == [
        (9, "new"),
        (10, "new"),
    ]


def test_a_merge_that_is_replayed_leaves_out_the_files_that_it_left_out_before(
    small: SparkSession, tmp_path: Path, before_our_commit: Callable[..., None]
) -> None:
    table = f"delta.`{tmp_path / 'target'}`"
    small.sql(f"CREATE TABLE {table} (id BIGINT, v STRING) USING delta")
    for id in (1, 20, 300):
        small.sql(f"INSERT INTO {table} VALUES ({id}, 'old')")
    rival = small.newSession()
    before_our_commit(f"UPDATE {table} SET v = 'rival' WHERE id = 20")
    result = engine.merge_into(
        small,
        f"MERGE INTO {table} t USING (SELECT 20 AS id, 'new' AS v) s ON t.id = s.id {UPSERT}",
    )
    assert result.retries == 1
    assert "files: 1 of 3" in result.plan.explain()
    assert rows_of(rival, table) == [(1, "old"), (20, "new"), (300, "old")]


@pytest.mark.parametrize("seconds", [0.0, 1.0, 60.0])
def test_the_pause_before_a_replay_grows_with_the_time_that_an_attempt_takes(
    seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conflicts.random, "uniform", lambda _, longest: longest)
    pauses = [conflicts.pause(number, seconds) for number in range(9)]
    assert pauses[0] == max(0.1, seconds)
    assert pauses[-1] == min(60, max(conflicts.LONGEST_PAUSE_SECONDS, 2 * seconds))
    assert pauses == sorted(pauses)
