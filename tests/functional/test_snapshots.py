"""Snapshots, run three times: their queries give other rows, or columns, each time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, rows
from snapshot_cases import DAY_1, DAY_2, SNAPSHOTS, WELL, run, snapshot

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


class TestSnapshots:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"vars": {"step": 1}}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {f"{name}.sql": snapshot(name, *facts) for name, facts in SNAPSHOTS.items()}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        schema = project.test_schema
        project.run_sql(f"create table {schema}.is_no_snapshot (id int, v string, at timestamp)")
        project.run_sql(f"create view {schema}.is_a_view as select 1 as id")
        return run(project, 1)

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        return run(project, 2)

    @pytest.fixture(scope="class")
    def after_two(self, project: TestProjInfo, second: Run) -> dict[str, list[tuple[Any, ...]]]:
        """What the tests of the second run look at, before the third run changes it."""
        at = "round(unix_timestamp(current_timestamp()) - unix_timestamp({})) < 3600"
        recent = at.format("dbt_valid_from"), at.format("dbt_valid_to")
        queries = {
            "by_time": "id, v, dbt_valid_from, dbt_valid_to, dbt_updated_at",
            "by_every_column": f"id, v, w, {recent[0]}, {recent[1]}",
            "by_one_column": "*",
            "ends_deleted": f"id, dbt_valid_from, {recent[1]}",
            "keeps_deleted": f"id, v, at, dbt_is_deleted, {recent[0]}, {recent[1]}",
            "own_names": "id, v, weg, `Gültig bis` = date'9999-12-31'",
            "gains_a_column": "id, v, extra, dbt_valid_to",
            "gains_a_checked_column": "id, v, w, dbt_is_deleted, dbt_valid_to is null",
        }
        return {
            name: rows(project, f"select {columns} from {{schema}}.{name} order by all")
            for name, columns in queries.items()
        }

    @pytest.fixture(scope="class")
    def third(self, project: TestProjInfo, after_two: dict[str, Any]) -> Run:
        return run(project, 3)

    @pytest.mark.parametrize("name", WELL)
    def test_the_first_run_creates_the_table_in_one_statement(self, first: Run, name: str) -> None:
        assert first.status(name) == "success", first.message(name)
        assert len(first.statements_of(name)) == 1
        assert first.response(name)["delta_version"] == 0

    @pytest.mark.embedded("the routes are the engine's")
    @pytest.mark.parametrize("name", sorted({*WELL} - {"repeats_a_key_later"}))
    def test_a_later_run_is_one_statement(self, second: Run, name: str) -> None:
        assert second.status(name) == "success", second.message(name)
        (statement,) = second.statements_of(name)
        assert "MERGE" in statement
        assert second.response(name).get("route") != "native"

    def test_a_newer_row_ends_the_old_version(
        self, after_two: dict[str, list[tuple[Any, ...]]]
    ) -> None:
        assert after_two["by_time"] == [
            (1, "one", DAY_1, None, DAY_1),
            (2, "two", DAY_1, DAY_2, DAY_1),
            (2, "zwei", DAY_2, None, DAY_2),
            (3, "drei", DAY_2, None, DAY_2),
        ]

    def test_a_run_answers_with_its_counts(self, second: Run) -> None:
        response = second.response("by_time")
        counts = ("rows_inserted", "rows_updated", "rows_deleted", "rows_affected", "delta_version")
        assert [response[name] for name in counts] == [2, 1, 0, 3, 1]
        assert response["_message"].startswith("MERGE 2 inserted, 1 updated, 0 deleted in ")

    @pytest.mark.embedded("Delta's MERGE commits nothing new, too")
    def test_nothing_changed_commits_nothing(self, project: TestProjInfo, third: Run) -> None:
        for name in ("by_time", "by_every_column", "ignores_deletes", "wider_key"):
            response = third.response(name)
            assert (response["delta_version"], response["skipped"]) == (None, True), name
        history = rows(project, "describe history {schema}.by_time")
        assert [(each[0], each[4]) for each in history] == [
            (1, "MERGE"),
            (0, "CREATE TABLE AS SELECT"),
        ]

    def test_a_null_is_a_value_like_others_to_a_check(
        self, after_two: dict[str, list[tuple[Any, ...]]]
    ) -> None:
        assert after_two["by_every_column"] == [
            (1, "a", None, True, True),
            (1, "a", "a", True, None),
            (2, None, None, True, None),
            (2, None, "b", True, True),
            (3, "c", "c", True, None),
        ]

    def test_a_change_of_other_columns_is_none(
        self, project: TestProjInfo, after_two: dict[str, Any], third: Run
    ) -> None:
        assert [row[:3] for row in after_two["by_one_column"]] == [(1, "a", "x")]
        columns = "select id, v, w, dbt_valid_to is null from {schema}.by_one_column order by v"
        assert rows(project, columns) == [(1, "a", "x", False), (1, "b", "z", True)]

    def test_deletes_are_ignored_by_default(self, project: TestProjInfo, third: Run) -> None:
        columns = "select id, dbt_valid_to from {schema}.ignores_deletes order by id"
        assert rows(project, columns) == [(1, None), (2, None)]

    def test_a_deleted_row_ends(self, after_two: dict[str, list[tuple[Any, ...]]]) -> None:
        assert after_two["ends_deleted"] == [(1, DAY_1, None), (2, DAY_1, True)]

    def test_a_row_that_comes_back_unchanged_is_valid_from_then(
        self, project: TestProjInfo, third: Run
    ) -> None:
        came_back = rows(
            project,
            "select new.dbt_valid_from >= old.dbt_valid_to, new.dbt_updated_at, new.dbt_valid_to"
            " from {schema}.ends_deleted old join {schema}.ends_deleted new using (id)"
            " where id = 2 and old.dbt_valid_to is not null and new.dbt_valid_to is null",
        )
        assert came_back == [(True, DAY_1, None)]
        ids = "select count(*), count(distinct dbt_scd_id) from {schema}.ends_deleted"
        assert rows(project, ids) == [(3, 3)]

    def test_a_deletion_row_carries_the_data(
        self, after_two: dict[str, list[tuple[Any, ...]]]
    ) -> None:
        assert after_two["keeps_deleted"] == [
            (1, "one", DAY_1, "False", False, None),
            (2, "two", DAY_1, "False", False, True),
            (2, "two", DAY_1, "True", True, None),
        ]

    def test_versions_around_a_deletion_follow_each_other(
        self, project: TestProjInfo, third: Run
    ) -> None:
        history = rows(
            project,
            "select dbt_is_deleted, lead(dbt_valid_from) over (order by dbt_valid_from)"
            " <=> dbt_valid_to from {schema}.keeps_deleted where id = 2 order by dbt_valid_from",
        )
        assert history == [("False", True), ("True", True), ("False", True)]
        ids = "select count(*), count(distinct dbt_scd_id) from {schema}.keeps_deleted"
        assert rows(project, ids) == [(4, 4)]

    def test_keys_may_be_several_and_null(self, project: TestProjInfo, third: Run) -> None:
        query = (
            "select a, b, v, dbt_is_deleted, dbt_valid_to is null from {schema}.list_key"
            " order by all nulls last"
        )
        assert rows(project, query) == [
            (1, 1, "x", "False", True),
            (1, None, "x", "False", False),
            (1, None, "y", "False", True),
            (None, None, "x", "False", False),
            (None, None, "x", "True", True),
        ]

    def test_a_snapshot_leaves_no_column_and_no_view_of_its_own(
        self, project: TestProjInfo, third: Run
    ) -> None:
        columns = [name for name, *_ in rows(project, "describe {schema}.list_key")]
        assert columns == [
            "a",
            "b",
            "v",
            "dbt_scd_id",
            "dbt_updated_at",
            "dbt_valid_from",
            "dbt_valid_to",
            "dbt_is_deleted",
        ]
        assert [view for _, view, *_ in rows(project, "show views in {schema}")] == ["is_a_view"]

    def test_a_null_key_and_an_empty_one_are_two(self, project: TestProjInfo, third: Run) -> None:
        query = "select id, v, dbt_valid_to is null from {schema}.null_and_empty_keys order by all"
        assert rows(project, query) == [(None, "x", True), ("", "x", False), ("", "y", True)]

    def test_meta_columns_have_the_names_that_the_config_gives(
        self, project: TestProjInfo, after_two: dict[str, list[tuple[Any, ...]]]
    ) -> None:
        assert after_two["own_names"] == [
            (1, "one", "False", True),
            (2, "two", "False", False),
            (2, "two", "True", True),
        ]
        columns = [name for name, *_ in rows(project, "describe {schema}.own_names")]
        assert columns == ["id", "v", "at", "version", "stand", "seit", "Gültig bis", "weg"]

    def test_a_new_column_is_added_in_the_same_commit(
        self, second: Run, after_two: dict[str, list[tuple[Any, ...]]]
    ) -> None:
        assert after_two["gains_a_column"] == [
            (1, "one", None, None),
            (2, "two", None, DAY_2),
            (2, "zwei", 8, None),
        ]
        assert second.response("gains_a_column")["delta_version"] == 1

    def test_a_new_column_is_added_where_no_row_changed(
        self, project: TestProjInfo, third: Run
    ) -> None:
        assert "more" in [name for name, *_ in rows(project, "describe {schema}.gains_a_column")]
        assert third.response("gains_a_column")["rows_affected"] == 0

    def test_a_new_column_to_check_is_a_change_of_every_row(
        self, after_two: dict[str, list[tuple[Any, ...]]]
    ) -> None:
        assert after_two["gains_a_checked_column"] == [
            (1, None, "a", "False", True),
            (1, "a", None, "False", False),
            (2, "b", None, "False", False),
            (2, "b", None, "True", True),
        ]

    def test_names_may_have_any_characters(self, project: TestProjInfo, third: Run) -> None:
        query = "select `a.b`, `select`, dbt_valid_to is null from {schema}.odd_names order by all"
        assert rows(project, query) == [(1, 1, False), (2, 1, False), (2, 2, True)]

    def test_a_key_may_be_an_expression(self, project: TestProjInfo, third: Run) -> None:
        query = "select id, v, dbt_valid_to is null from {schema}.expression_key order by all"
        assert rows(project, query) == [(1, "ONE", True), (1, "one", False), (2, "two", False)]

    def test_times_stay_as_they_are_written(self, project: TestProjInfo, third: Run) -> None:
        query = "select id, dbt_valid_from, dbt_valid_to from {schema}.text_times order by 1, 2"
        assert rows(project, query) == [
            (1, "2024-05-01T00:00", "2024-05-02T00:00"),
            (1, "2024-05-02T00:00", None),
            (2, "2024-05-01T00:00", None),
        ]

    def test_a_key_several_times_in_the_query_is_told_with_its_counts(
        self, first: Run, second: Run
    ) -> None:
        assert "- id = 1, v = 'a': 3 rows" in first.message("repeats_a_key_at_once")
        message = second.message("repeats_a_key_later")
        assert "the query has several rows of the same unique_key" in message
        assert "- id = None: 2 rows" in message
        assert "- id = 1: 2 rows" in message

    def test_a_run_that_fails_leaves_the_table_as_it_was(
        self, project: TestProjInfo, second: Run
    ) -> None:
        history = rows(project, "describe history {schema}.repeats_a_key_later")
        assert [each[0] for each in history] == [0]
        assert rows(project, "show tables in {schema} like 'repeats_a_key_at_once'") == []

    def test_all_config_problems_come_at_once(self, first: Run) -> None:
        message = first.message("is_misconfigured")
        for problem in (
            "has 7 config problems",
            "hard_deletes must be one of ignore, invalidate, new_record, got 'invalid'; did you"
            " mean 'invalidate'?",
            "unique_key names 'idd', which the query does not produce; did you mean 'id'?",
            "check_cols names 'w', which the query does not produce",
            "the query produces 'v', which the snapshot adds itself",
            "the query produces 'dbt_scd_id', which the snapshot adds itself",
            "partition_by names 'month', which the query does not produce",
            "config 'check_col' is not known; did you mean 'check_cols'?",
        ):
            assert problem in message

    def test_a_table_that_is_no_snapshot_gets_dbts_message(self, first: Run) -> None:
        message = first.message("is_no_snapshot")
        assert "Snapshot target is missing configured columns" in message
        assert "dbt_scd_id" in message

    def test_a_view_is_not_replaced(self, project: TestProjInfo, first: Run) -> None:
        assert "it is a view: drop it, or give the snapshot another alias" in first.message(
            "is_a_view"
        )
        assert rows(project, "select id from {schema}.is_a_view") == [(1,)]
