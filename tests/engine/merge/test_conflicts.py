"""A commit that lands between a merge's reads and its own commit: replayed, never overlooked."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom

pytestmark = pytest.mark.share(4)
"""A table with vectors, or one without."""

# The package exports a function of this name.
merge = importlib.import_module("dbt.adapters.deltaspark.engine.merge.conductor")

SOURCE = "(SELECT * FROM VALUES (1, 'x'), (7, 'y') AS v(id, v)) s"
UPSERT = f"""MERGE INTO {{target}} t USING {SOURCE} ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET v = concat(t.v, s.v) WHEN NOT MATCHED THEN INSERT *"""
INSERT_ONLY = f"""MERGE INTO {{target}} t USING {SOURCE} ON t.id = s.id
    WHEN NOT MATCHED THEN INSERT *"""


@pytest.fixture(params=[True, False], ids=["vectors", "no_vectors"])
def path(request: pytest.FixtureRequest, table_from: TableFrom, tmp_path: Path) -> Path:
    return table_from.two_rows(tmp_path / "target", vectors=request.param)


def merged(
    small: SparkSession, text: str, path: Path, *, conflict_retries: int = 5
) -> engine.MergeResult:
    statement = text.format(target=f"delta.`{path}`")
    return engine.merge_into(small, statement, conflict_retries=conflict_retries)


def rows_of(small: SparkSession, path: Path) -> Sequence[tuple[object, ...]]:
    frame = small.read.format("delta").load(str(path))
    return sorted(tuple(row) for row in frame.collect())


def test_an_insert_only_merge_sees_the_key_that_another_writer_brought(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'rival')")
    result = merged(small, INSERT_ONLY, path)
    assert rows_of(small, path) == [(1, "a"), (2, "b"), (7, "rival")]
    assert (result.retries, result.version) == (1, None)


def test_an_upsert_updates_the_row_that_another_writer_brought(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'rival')")
    result = merged(small, UPSERT, path)
    assert rows_of(small, path) == [(1, "ax"), (2, "b"), (7, "rivaly")]
    assert result.retries == 1


def test_an_upsert_updates_what_another_writer_left(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"UPDATE delta.`{path}` SET v = 'rival' WHERE id = 1")
    result = merged(small, UPSERT, path)
    assert rows_of(small, path) == [(1, "rivalx"), (2, "b"), (7, "y")]
    assert result.retries == 1


def test_an_upsert_inserts_the_row_that_another_writer_deleted(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"DELETE FROM delta.`{path}` WHERE id = 1")
    merged(small, UPSERT, path)
    assert rows_of(small, path) == [(1, "x"), (2, "b"), (7, "y")]


def test_a_merge_is_analyzed_anew_after_the_schema_has_changed(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"ALTER TABLE delta.`{path}` ADD COLUMNS (w INT)")
    merged(small, INSERT_ONLY.replace("INSERT *", "INSERT (id, v) VALUES (s.id, s.v)"), path)
    assert rows_of(small, path) == [(1, "a", None), (2, "b", None), (7, "y", None)]


def test_a_source_that_reads_the_target_is_computed_anew(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (50, 'rival')")
    text = """MERGE INTO {target} t USING (SELECT max(id) + 1 AS id, 'next' AS v FROM {target}) s
        ON t.id = s.id WHEN NOT MATCHED THEN INSERT *"""
    merged(small, text, path)
    assert rows_of(small, path) == [(1, "a"), (2, "b"), (50, "rival"), (51, "next")]


def test_a_column_that_a_merge_adds_keeps_the_comment_of_a_source_computed_anew(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (50, 'rival')")
    query = f"SELECT max(id) + 1 AS id, 'next' AS v, 'abc' AS w FROM delta.`{path}`"
    source = small.sql(query).withMetadata("w", {"comment": "a note"})
    on, insert = "t.id = s.id", engine.Insert(engine.STAR)
    spec = engine.MergeSpec(
        on, not_matched=(insert,), evolve_schema=True, source_alias="s", target_alias="t"
    )
    engine.merge(engine.DeltaTarget.for_path(small, str(path)), source, spec, source_sql=query)
    assert rows_of(small, path)[-1] == (51, "next", "abc")
    columns = small.sql(f"DESCRIBE delta.`{path}`").collect()
    assert ("w", "string", "a note") in [tuple(each) for each in columns]


def test_a_frame_that_was_read_from_the_target_cannot_be_computed_anew(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (50, 'rival')")
    target = engine.DeltaTarget.for_path(small, str(path))
    source = small.sql(f"SELECT id + 10 AS id, v FROM delta.`{path}`")
    merge = target.merge(source, "t.id = s.id", source_alias="s", target_alias="t")
    with pytest.raises(engine.SourceReadsTargetError, match="source_sql"):
        merge.when_not_matched_insert_all().execute()
    assert rows_of(small, path) == [(1, "a"), (2, "b"), (50, "rival")]


def test_without_retries_delta_s_own_conflict_is_raised(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'rival')")
    with pytest.raises(Exception, match="DELTA_CONCURRENT_APPEND") as raised:
        merged(small, UPSERT, path, conflict_retries=0)
    (note,) = raised.value.__notes__
    assert "conflict_retries: 0" in note
    assert "a WRITE with version 2" in note
    assert rows_of(small, path) == [(1, "a"), (2, "b"), (7, "rival")]


def test_a_merge_that_writes_nothing_meets_no_conflict(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (8, 'rival')")
    text = "MERGE INTO {target} t USING (SELECT 99 AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE"
    assert merged(small, text, path).version is None


def test_a_replayed_merge_is_one_commit(
    small: SparkSession, path: Path, before_our_commit: Callable[[str], None]
) -> None:
    before_our_commit(f"INSERT INTO delta.`{path}` VALUES (7, 'rival')")
    merged(small, UPSERT, path)
    operations = [
        commit_of(path, version).info["operation"] for version in range(latest_version(path) + 1)
    ]
    assert operations == ["CREATE TABLE", "WRITE", "WRITE", "MERGE"]


def test_a_schema_that_changed_after_analysis_is_delta_s_error_once_no_replay_is_left(
    small: SparkSession, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse = merge.refuse_changes_since_analysis

    def late(txn: Transaction, analyzed: Any) -> None:
        small.newSession().sql(f"ALTER TABLE delta.`{path}` ADD COLUMNS (w INT)")
        monkeypatch.setattr(merge, "refuse_changes_since_analysis", refuse)
        fresh = txn.java.deltaLog().startTransaction(txn.java.catalogTable(), txn.jvm.none)
        refuse(Transaction(txn.jvm, fresh), analyzed)

    monkeypatch.setattr(merge, "refuse_changes_since_analysis", late)
    with pytest.raises(Exception, match="DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS"):
        merged(small, UPSERT, path, conflict_retries=0)
    assert rows_of(small, path) == [(1, "a", None), (2, "b", None)]
