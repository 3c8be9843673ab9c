"""The Python API: the same merges without SQL text, and plans that commit nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from commits import commit_of, latest_version
from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from sessions import kept_frames

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

# Delta notes it down itself after each commit.
LAST_COMMIT = "spark.databricks.delta.lastCommitVersionInSession"


@pytest.fixture
def path(small: SparkSession, tmp_path: Path) -> Path:
    path = tmp_path / "target"
    small.sql(
        f"CREATE TABLE delta.`{path}` (id INT, v STRING, n INT) USING delta"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"
    )
    rows = "(1, 'a', 10), (2, 'b', 20), (3, 'c', 30)"
    small.sql(f"INSERT INTO delta.`{path}` SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}")
    return path


@pytest.fixture
def source(small: SparkSession) -> DataFrame:
    return small.sql("SELECT * FROM VALUES (2, 'x', 21), (4, 'y', 41) AS v(id, v, n)")


@pytest.fixture
def merge(small: SparkSession, path: Path, source: DataFrame) -> engine.MergeBuilder:
    target = engine.DeltaTarget.for_path(small, str(path))
    return target.merge(source, "t.id = s.id", source_alias="s", target_alias="t")


def rows_of(small: SparkSession, path: Path) -> list[tuple[object, ...]]:
    return sorted(tuple(row) for row in small.read.format("delta").load(str(path)).collect())


def test_an_upsert_of_whole_rows(
    small: SparkSession, path: Path, merge: engine.MergeBuilder
) -> None:
    result = merge.when_matched_update_all().when_not_matched_insert_all().execute()
    assert rows_of(small, path) == [(1, "a", 10), (2, "x", 21), (3, "c", 30), (4, "y", 41)]
    assert (result.version, result.route, result.skipped) == (2, "deletion_vectors", False)
    metrics = result.metrics.as_dict()
    assert (metrics["numTargetRowsUpdated"], metrics["numTargetRowsInserted"]) == (1, 1)


def test_clauses_with_conditions_and_assignments(
    small: SparkSession, path: Path, merge: engine.MergeBuilder
) -> None:
    (
        merge.when_matched_delete("s.n > 100")
        .when_matched_update({"n": "t.n + s.n", "v": "'sum'"}, "s.n > 20")
        .when_not_matched_insert({"id": "s.id", "`v`": "upper(s.v)"}, "s.n > 40")
        .when_not_matched_by_source_update({"v": "'left'"}, "t.id = 1")
        .when_not_matched_by_source_delete()
        .execute()
    )
    assert rows_of(small, path) == [(1, "left", 10), (2, "sum", 41), (4, "Y", None)]


def test_every_call_returns_a_new_builder(
    small: SparkSession, path: Path, merge: engine.MergeBuilder
) -> None:
    deleting = merge.when_matched_delete()
    merge.when_matched_update_all().execute()
    assert rows_of(small, path) == [(1, "a", 10), (2, "x", 21), (3, "c", 30)]
    deleting.execute()
    assert rows_of(small, path) == [(1, "a", 10), (3, "c", 30)]


def test_the_schema_may_evolve(small: SparkSession, path: Path, merge: engine.MergeBuilder) -> None:
    target = engine.DeltaTarget.for_path(small, str(path))
    source = small.sql("SELECT 4 AS id, 'y' AS v, 41 AS n, true AS new")
    wider = target.merge(source, "t.id = s.id", source_alias="s", target_alias="t")
    wider.when_not_matched_insert_all().with_schema_evolution().execute()
    assert target.schema().names == ["id", "v", "n", "new"]
    assert rows_of(small, path)[3] == (4, "y", 41, True)


def test_a_merge_without_clauses_is_refused(merge: engine.MergeBuilder) -> None:
    with pytest.raises(engine.SpecError, match="at least one WHEN clause"):
        merge.execute()


def test_a_clause_after_one_without_a_condition_is_refused(merge: engine.MergeBuilder) -> None:
    with pytest.raises(engine.SpecError, match="clauses after it never run"):
        merge.when_matched_delete().when_matched_update_all().execute()


def test_explain_names_the_route_and_commits_nothing(
    path: Path, merge: engine.MergeBuilder
) -> None:
    text = merge.when_matched_update_all().when_not_matched_insert_all().explain()
    assert "route: deletion_vectors" in text
    assert "1 of 1" in text
    assert "would write" in text
    assert latest_version(path) == 1


def test_a_merge_keeps_no_frame_and_no_setting_behind(
    small: SparkSession, merge: engine.MergeBuilder
) -> None:
    kept, settings = kept_frames(small), dict(small.conf.getAll)
    merge.when_matched_update_all().when_not_matched_insert_all().execute()
    assert kept_frames(small) <= kept  # what other tests left may go meanwhile
    changed = dict(small.conf.getAll).items() - settings.items()
    assert {name for name, _ in changed} <= {LAST_COMMIT}


def test_a_note_of_the_user_is_in_the_commit(small: SparkSession, path: Path) -> None:
    statement = f"MERGE INTO delta.`{path}` t USING (SELECT 1 AS id) s ON t.id = s.id" + (
        " WHEN MATCHED THEN DELETE"
    )
    engine.merge_into(small, statement, user_metadata="by the night job")
    assert commit_of(path, 2).info["userMetadata"] == "by the night job"


def test_native_is_delta_s_own_merge_with_the_same_result(small: SparkSession, path: Path) -> None:
    statement = f"MERGE INTO delta.`{path}` t USING (SELECT 1 AS id) s ON t.id = s.id" + (
        " WHEN MATCHED THEN DELETE"
    )
    result = engine.merge_into(small, statement, native=True)
    assert (result.version, result.route) == (2, "native")
    assert result.metrics.as_dict()["numTargetRowsDeleted"] == 1
    assert rows_of(small, path) == [(2, "b", 20), (3, "c", 30)]


def test_deltas_error_comes_as_itself_where_pyspark_cannot_render_it(
    small: SparkSession, path: Path, source: DataFrame
) -> None:
    source.createOrReplaceTempView("misspelt_source")
    statement = (
        f"MERGE INTO delta.`{path}` t USING misspelt_source s ON t.idd = s.id"
        " WHEN MATCHED THEN DELETE"
    )
    with pytest.raises(AnalysisException) as caught:
        engine.merge_into(small, statement)
    assert str(caught.value).startswith("[DELTA_MERGE_UNRESOLVED_EXPRESSION] Cannot resolve t.idd")
    assert caught.value.getCondition() == "DELTA_MERGE_UNRESOLVED_EXPRESSION"
    assert latest_version(path) == 1


@pytest.mark.parametrize("verb", ["merge", "write"])
def test_a_value_that_cannot_be_cast_comes_with_the_columns_that_are_cast(
    small: SparkSession, path: Path, verb: str
) -> None:
    target = engine.DeltaTarget.for_path(small, str(path))
    source = small.sql("SELECT * FROM VALUES (2, 'x', 'many') AS v(id, v, N)")
    raised = (PySparkException, Py4JJavaError)  # PySpark leaves the error of a failed job as it is
    with pytest.raises(raised, match=r"CAST_INVALID_INPUT.*'many'") as caught:
        if verb == "merge":
            merge = target.merge(source, "t.id = s.id", source_alias="s", target_alias="t")
            merge.when_matched_update_all().when_not_matched_insert_all().execute()
        else:
            engine.write(source, target)
    (note,) = caught.value.__notes__
    assert note.startswith("Columns that are cast to the table's type: N from STRING to INT. ")
    assert latest_version(path) == 1
