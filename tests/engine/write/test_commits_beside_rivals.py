"""Our commits by Delta's own commands are told from those of rivals beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version
from rival_tables import RIVAL, ours

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import native
from dbt.adapters.deltaspark.engine.write import delta_writer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession

AUTO_MERGE = "spark.databricks.delta.schema.autoMerge.enabled"


@pytest.fixture
def there(small: SparkSession, target: engine.DeltaTarget) -> engine.DeltaTarget:
    """The table in the folder, with one row in version 0."""
    small.sql(RIVAL.format(target.name))
    return target


def beside(
    monkeypatch: pytest.MonkeyPatch,
    module: Any,
    before: Callable[[], object],
    after: Callable[[], object],
) -> None:
    """Another writer comes right before a statement of Delta's own runs, or right after it."""
    newest, found = module.newest_version, module.our_commit

    def looked_at(*arguments: Any) -> Any:
        version = newest(*arguments)
        before()
        return version

    def searched(*arguments: Any) -> Any:
        after()
        return found(*arguments)

    monkeypatch.setattr(module, "newest_version", looked_at)
    monkeypatch.setattr(module, "our_commit", searched)


MERGE = """MERGE INTO {} t USING (SELECT 100 AS id UNION ALL SELECT 200) s ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET v = {} WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)"""


def test_a_native_merge_is_told_from_rivals_that_do_the_same(
    small: SparkSession,
    there: engine.DeltaTarget,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def rival() -> None:
        small.sql(MERGE.format(there.name, "'theirs'"))

    beside(monkeypatch, native, rival, rival)
    result = engine.merge_into(small, MERGE.format(there.name, "'ours'"), native=True)
    assert (latest_version(path), result.version, result.metrics.updated) == (3, 2, 2)
    assert commit_of(path, 2).metrics["executionTimeMs"] == result.metrics.get("executionTimeMs")


def test_a_native_merge_of_nothing_takes_no_rival_s_commit_for_its_own(
    small: SparkSession,
    there: engine.DeltaTarget,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nothing = MERGE.format(there.name, "'ours'").replace("200) s", "200 LIMIT 0) s")

    def rival() -> None:
        small.sql(MERGE.format(there.name, "'theirs'"))

    beside(monkeypatch, native, lambda: None, rival)
    result = engine.merge_into(small, nothing, native=True)
    assert (latest_version(path), result.version, result.metrics.affected) == (1, None, 0)


@pytest.mark.parametrize("note", ["note", None])
def test_a_replacement_is_told_from_rivals_by_what_it_is_and_its_note(
    small: SparkSession,
    there: engine.DeltaTarget,
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    note: str | None,
) -> None:
    def replaced() -> None:
        small.sql(RIVAL.format(there.name).replace("CREATE", "CREATE OR REPLACE"))

    def added() -> None:
        small.sql(f"INSERT INTO {there.name} VALUES (101, 'theirs')")

    beside(monkeypatch, delta_writer, replaced, added)
    rows = ours(small)
    result = engine.write(
        rows,
        there,
        "overwrite",
        overwrite_schema=True,
        user_metadata=note,
        options={"compression": "snappy"},
    )
    assert (result.route, latest_version(path)) == ("native", 3)
    if note is None:
        assert (result.version, result.version_is_known) == (engine.UNKNOWN_VERSION, False)
        assert (result.metrics.as_dict(), result.skipped) == ({}, False)
    else:
        assert (result.version, result.metrics.inserted) == (2, 1)


def test_of_several_commits_beside_a_caller_s_own_statement_none_is_taken_for_it(
    small: SparkSession, there: engine.DeltaTarget
) -> None:
    def added() -> None:
        small.sql(f"INSERT INTO {there.name} VALUES (101, 'x')")

    def two() -> None:
        added()
        added()

    assert engine.observed(small, there.name, added, added, lambda: None).version == 2
    result = engine.observed(small, there.name, added, two)
    assert (result.version, result.metrics.as_dict()) == (engine.UNKNOWN_VERSION, {})


@pytest.mark.parametrize("evolve", [None, False])
def test_a_merge_adds_columns_where_it_says_so_or_else_the_session(
    small: SparkSession, there: engine.DeltaTarget, evolve: bool | None
) -> None:
    rows = small.sql("SELECT 2 AS id, 'n' AS v, 3 AS new")
    spec = engine.MergeSpec(on="false", not_matched=(engine.Insert(),), evolve_schema=evolve)
    small.conf.set(AUTO_MERGE, "true")
    try:
        engine.merge(there, rows, spec)
    finally:
        small.conf.unset(AUTO_MERGE)
    assert ("new" in there.schema().names) == (evolve is None)
