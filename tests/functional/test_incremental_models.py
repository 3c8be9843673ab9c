"""Incremental models, run twice: the second time with other rows, columns or settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


MODELS = {
    "null_keys": incremental(
        "unique_key='k'",
        "select * from values (null, 1), (1, 1) as t(k, v)",
        "select * from values (null, 2), (2, 2) as t(k, v)",
    ),
    "list_key": incremental(
        "unique_key=['a', 'b']",
        "select * from values (1, 1, 'old'), (1, null, 'old') as t(a, b, v)",
        "select * from values (1, null, 'new'), (2, null, 'new') as t(a, b, v)",
    ),
    "odd_names": incremental(
        "unique_key='the key'",
        "select 1 as `the key`, 1 as `a-b`, 1 as `c(d)`, 1 as `select`",
        "select 1 as `the key`, 2 as `a-b`, 2 as `c(d)`, 2 as `select`",
    ),
    "expression_key": incremental(
        "unique_key='upper(name)'",
        "select * from values ('ann', 1), ('bob', 1) as t(name, v)",
        "select * from values ('ANN', 2), ('CID', 2) as t(name, v)",
    ),
    "or_predicate": incremental(
        "unique_key='id', incremental_predicates="
        '["DBT_INTERNAL_DEST.v < 10 or DBT_INTERNAL_DEST.v > 20"]',
        "select * from values (1, 1), (2, 15), (3, 30) as t(id, v)",
        "select * from values (1, 0), (2, 0) as t(id, v)",
    ),
    "updates_nothing": incremental(
        "unique_key='id', merge_update_columns=[]",
        "select 1 as id, 'old' as v",
        "select * from values (1, 'new'), (2, 'new') as t(id, v)",
    ),
    "updates_some": incremental(
        "unique_key='id', merge_update_columns=['v']",
        "select 1 as id, 'old' as v, 'old' as w",
        "select 1 as id, 'new' as v, 'new' as w",
    ),
    "excludes_some": incremental(
        "unique_key='id', merge_exclude_columns=['w']",
        "select 1 as id, 'old' as v, 'old' as w",
        "select 1 as id, 'new' as v, 'new' as w",
    ),
    "inserts_only": incremental(
        "unique_key='id', incremental_strategy='insert_only'",
        "select 1 as id, 'old' as v",
        "select * from values (1, 'new'), (2, 'new') as t(id, v)",
    ),
    "appends": incremental(
        "incremental_strategy='append'",
        "select 1 as id, 'old' as v",
        "select 'new' as v, 2 as id",
    ),
    "nothing_new": incremental(
        "unique_key='id'",
        "select 1 as id, 'old' as v",
        "select 1 as id, 'new' as v where false",
    ),
    "ignores_new_columns": incremental(
        "unique_key='id'",
        "select 1 as id, 'old' as v, 'old' as gone",
        "select * from values (1, 'new', 9), (2, 'new', 9) as t(id, v, extra)",
    ),
    "appends_new_columns": incremental(
        "unique_key='id', on_schema_change='append_new_columns'",
        "select 1 as id, 'old' as v, 'old' as gone",
        "select * from values (1, 'new', 9), (2, 'new', 9) as t(id, v, extra)",
    ),
    "fails_on_new_columns": incremental(
        "unique_key='id', on_schema_change='fail'",
        "select 1 as id",
        "select 1 as id, 9 as extra",
    ),
    "is_misconfigured": incremental(
        "unique_key='idd', merge_update_columns=['w'], on_schema_change='never',"
        " pre_hook='create table {{ this.schema }}.is_misconfigured_hook (id int)'",
        "select 1 as id, 1 as v",
        "select 1 as id, 1 as v",
    ),
    "has_two_rows_of_a_key": incremental(
        "unique_key='id'",
        "select 1 as id, 'old' as v",
        "select * from values (1, 'a'), (1, 'b') as t(id, v)",
    ),
}
WELL = sorted(set(MODELS) - {"is_misconfigured"})


class TestIncrementalModels:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {f"{name}.sql": text for name, text in MODELS.items()}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "run")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        return dbt(project, "run")

    @pytest.mark.parametrize("name", WELL)
    def test_the_first_run_creates_the_table_in_one_statement(self, first: Run, name: str) -> None:
        assert first.status(name) == "success", first.message(name)
        assert len(first.statements_of(name)) == 1
        assert first.response(name)["delta_version"] == 0
        assert first.response(name)["code"] == "CREATE"

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("null_keys", [(None, 2), (1, 1), (2, 2)]),
            ("list_key", [(1, None, "new"), (1, 1, "old"), (2, None, "new")]),
            ("odd_names", [(1, 2, 2, 2)]),
            ("expression_key", [("ANN", 2), ("CID", 2), ("bob", 1)]),
            # Row 2 is outside the predicate, so the merge does not see it, and adds its own.
            ("or_predicate", [(1, 0), (2, 0), (2, 15), (3, 30)]),
            ("updates_nothing", [(1, "old"), (2, "new")]),
            ("updates_some", [(1, "new", "old")]),
            ("excludes_some", [(1, "new", "old")]),
            ("inserts_only", [(1, "old"), (2, "new")]),
            ("appends", [(1, "old"), (2, "new")]),
            ("nothing_new", [(1, "old")]),
            ("ignores_new_columns", [(1, "new", "old"), (2, "new", None)]),
            ("appends_new_columns", [(1, "new", "old", 9), (2, "new", None, 9)]),
            ("fails_on_new_columns", [(1,)]),
            ("has_two_rows_of_a_key", [(1, "old")]),
        ],
    )
    def test_the_second_run_leaves_these_rows(
        self, project: TestProjInfo, second: Run, name: str, expected: list[tuple[Any, ...]]
    ) -> None:
        assert rows(project, f"select * from {{schema}}.{name} order by all") == expected

    def test_a_merge_is_one_statement(self, second: Run) -> None:
        (statement,) = second.statements_of("null_keys")
        assert "MERGE" in statement
        assert "values (null, 2), (2, 2)" in statement

    def test_a_merge_answers_with_its_counts(self, second: Run) -> None:
        response = second.response("null_keys")
        counts = ("rows_affected", "rows_inserted", "rows_updated", "rows_deleted", "delta_version")
        assert [response[name] for name in counts] == [2, 1, 1, 0, 1]
        assert (response["code"], response["skipped"], response["retries"]) == ("MERGE", False, 0)
        assert response["bytes_added"] > 0
        assert response["execution_ms"] > 0
        assert response["_message"].startswith("MERGE 1 inserted, 1 updated, 0 deleted in ")
        assert " [v1, " in response["_message"]

    @pytest.mark.embedded("the routes are the engine's")
    def test_merges_go_through_the_engines_own_routes(self, second: Run) -> None:
        merged = {name: second.response(name).get("route") for name in ("null_keys", "odd_names")}
        assert merged == {"null_keys": "deletion_vectors", "odd_names": "deletion_vectors"}
        assert second.response("inserts_only")["route"] == "insert_only"

    def test_a_run_without_new_rows_commits_nothing(self, second: Run) -> None:
        response = second.response("nothing_new")
        assert (response["delta_version"], response["skipped"]) == (None, True)
        assert response["_message"].startswith("MERGE nothing to do [")

    def test_columns_that_are_not_written_are_named_in_a_warning(self, second: Run) -> None:
        (warning,) = [each for each in second.warnings if "ignores_new_columns" in each]
        assert "not written: extra" in warning

    def test_warn_error_makes_a_warning_the_models_error(
        self, project: TestProjInfo, second: Run
    ) -> None:
        name = "ignores_new_columns"
        third = dbt(project, "--warn-error", "run", "--select", name)
        assert third.status(name) == "error"
        assert "not written: extra" in third.message(name)
        versions = rows(project, f"describe history {{schema}}.{name}")
        assert [row[0] for row in versions] == [1, 0]

    def test_a_new_column_is_an_error_where_the_model_says_so(self, second: Run) -> None:
        assert second.status("fails_on_new_columns") == "error"
        assert "Source columns not in target: ['extra']" in second.message("fails_on_new_columns")

    def test_a_key_twice_is_told_with_its_count(self, second: Run) -> None:
        assert second.status("has_two_rows_of_a_key") == "error"
        assert "DELTA_MULTIPLE_SOURCE_ROW_MATCHING" in second.message("has_two_rows_of_a_key")

    def test_all_config_problems_come_at_once_and_before_hooks_and_the_first_write(
        self, project: TestProjInfo, first: Run
    ) -> None:
        message = first.message("is_misconfigured")
        assert (
            "Model 'is_misconfigured' (models/is_misconfigured.sql) has 3 config probl" in message
        )
        assert "on_schema_change must be one of" in message
        assert "merge_update_columns names 'w'" in message
        assert (
            "unique_key names 'idd', which the model does not produce; did you mean 'id'?"
            in message
        )
        assert rows(project, "show tables in {schema} like 'is_misconfigured*'") == []

    @pytest.mark.embedded("the history has Delta's own word")
    def test_a_full_refresh_replaces_the_table_in_one_commit(
        self, project: TestProjInfo, second: Run
    ) -> None:
        run = dbt(project, "run", "--full-refresh", "--select", "updates_some")
        assert run.response("updates_some")["code"] == "CREATE"
        history = rows(project, "describe history {schema}.updates_some")
        assert [(each[0], each[4]) for each in history] == [
            (2, "CREATE OR REPLACE TABLE AS SELECT"),
            (1, "MERGE"),
            (0, "CREATE TABLE AS SELECT"),
        ]
