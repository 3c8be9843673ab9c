"""`dbt clone`: what a shallow clone is."""

from __future__ import annotations

import shutil
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


MODELS = {
    "numbers.sql": "{{ config(materialized='table') }} select id, 'v' as v from range(3)",
    "ranged.sql": "{{ config(materialized='table') }} select id from range(3)",
    "gone.sql": "{{ config(materialized='table') }} select 1 as id",
    "of_text.sql": "{{ config(materialized='table', file_format='csv') }} select 1 as id",
    "over_numbers.sql": "{{ config(materialized='view') }} select * from {{ ref('numbers') }}",
}


class TestShallowClones:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return MODELS

    @pytest.fixture(scope="class")
    def profiles_config_update(
        self, dbt_profile_target: dict[str, Any], unique_schema: str
    ) -> dict[str, Any]:
        here, there = dbt_profile_target, deepcopy(dbt_profile_target)
        here["schema"], there["schema"] = unique_schema, f"{unique_schema}_copy"
        return {"test": {"outputs": {"default": here, "copy": there}, "target": "default"}}

    @pytest.fixture(scope="class")
    def cloned(self, project: TestProjInfo) -> Any:
        dbt(project, "run")
        state = Path(project.project_root) / "state"
        state.mkdir()
        shutil.copy(Path(project.project_root) / "target/manifest.json", state)
        project.run_sql(f"drop table {project.test_schema}.gone")
        yield dbt(project, "clone", "--state", str(state), "--target", "copy")
        project.run_sql(f"drop schema {project.test_schema}_copy cascade")

    def test_a_table_becomes_a_clone_that_shares_its_files(
        self, project: TestProjInfo, cloned: Any
    ) -> None:
        copy = "{schema}_copy.numbers"
        assert rows(project, f"select id, v from {copy} order by id") == [
            (0, "v"),
            (1, "v"),
            (2, "v"),
        ]
        files = rows(project, f"select distinct input_file_name() from {copy}")
        assert all(f"{project.test_schema}.db/numbers/" in name for (name,) in files)

    def test_the_response_counts_the_files(self, project: TestProjInfo, cloned: Any) -> None:
        response = cloned.response("numbers")
        assert response["code"] == "CLONE"
        assert response["files_added"] > 0
        assert response["bytes_added"] > 0
        assert response["_message"] == (
            f"CLONE {response['files_added']} files of {response['bytes_added']} bytes, none copied"
        )

    def test_a_change_of_the_clone_leaves_the_source_alone(
        self, project: TestProjInfo, cloned: Any
    ) -> None:
        project.run_sql(f"delete from {project.test_schema}_copy.numbers where id = 0")
        assert rows(project, "select count(*) from {schema}.numbers") == [(3,)]
        assert rows(project, "select count(*) from {schema}_copy.numbers") == [(2,)]

    def test_a_full_refresh_replaces_the_clone_and_keeps_its_history(
        self, project: TestProjInfo, cloned: Any
    ) -> None:
        options = ("--state", "state", "--target", "copy", "--select", "numbers", "--full-refresh")
        assert dbt(project, "clone", *options).status("numbers") == "success"
        assert rows(project, "select count(*) from {schema}_copy.numbers") == [(3,)]
        history = rows(project, "describe history {schema}_copy.numbers")
        assert [commit[0] for commit in history][-1] == 0

    def test_a_table_whose_clone_fails_keeps_its_rows(
        self, project: TestProjInfo, cloned: Any
    ) -> None:
        made = f"create table {project.test_schema}_copy.of_text as select 7 as id"
        project.run_sql(made)
        options = ("--state", "state", "--target", "copy", "--select", "of_text", "--full-refresh")
        assert dbt(project, "clone", *options).status("of_text") == "error"
        assert rows(project, "select id from {schema}_copy.of_text") == [(7,)]

    def test_a_table_of_another_format_is_named_and_stays(
        self, project: TestProjInfo, cloned: Any
    ) -> None:
        copy = f"{project.test_schema}_copy.ranged"
        project.run_sql(f"drop table {copy}")
        project.run_sql(f"create table {copy} using parquet as select 7 as id")
        options = ("--state", "state", "--target", "copy", "--select", "ranged")
        found = dbt(project, "clone", *options, "--full-refresh")
        assert "ranged` is a parquet table" in found.message("ranged")
        assert "Drop it, and run dbt clone again" in found.message("ranged")
        assert rows(project, "select id from {schema}_copy.ranged") == [(7,)]

    def test_a_view_becomes_a_view_over_it(self, project: TestProjInfo, cloned: Any) -> None:
        shown = rows(project, "show create table {schema}_copy.over_numbers")[0][0]
        assert f"select * from `spark_catalog`.`{project.test_schema}`.`over_numbers`" in shown

    def test_a_source_that_is_not_there_is_an_error_that_says_so(
        self, project: TestProjInfo, cloned: Any
    ) -> None:
        assert cloned.status("gone") == "error"
        assert "`gone`: it is in the state's manifest, but not in the catalog" in cloned.message(
            "gone"
        )
