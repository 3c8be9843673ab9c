"""A project of dbt-databricks: every key of its incremental models works, or is told."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

WORKING = {
    "incremental_strategy": "merge",
    "unique_key": ["id"],
    "file_format": "delta",
    "on_schema_change": "append_new_columns",
    "liquid_clustered_by": ["id"],
    "tblproperties": {"owner_team": "x", "delta.tuneFileSizesForRewrites": True},
    "merge_exclude_columns": ["made_at"],
    "matched_condition": "t.v < s.v",
    "not_matched_condition": "s.v > 0",
    "not_matched_by_source_action": "delete",
    "not_matched_by_source_condition": "t.v < 0",
    "source_alias": "s",
    "target_alias": "t",
    "merge_with_schema_evolution": True,
    "skip_matched_step": False,
    "skip_not_matched_step": False,
    "incremental_predicates": ["t.id > 0"],
    "incremental_apply_config_changes": True,
    "persist_docs": {"relation": True, "columns": True},
    "options": {"maxRecordsPerFile": 100000},
    "pre_hook": "select 1",
    "post_hook": "select 2",
    "tags": ["nightly"],
    "catalog": "spark_catalog",
}
FOREIGN = {
    "auto_liquid_cluster": True,
    "buckets": 4,
    "clustered_by": ["id"],
    "column_tags": {"id": {"a": "b"}},
    "databricks_tags": {"a": "b"},
    "query_tags": '{"a": "b"}',
    "databricks_compute": "big",
    "http_path": "/sql/1.0",
    "table_format": "iceberg",
    "catalog_name": "ice",
    "include_full_name_in_path": True,
    "unique_tmp_table_suffix": True,
    "use_safer_relation_operations": True,
    "view_update_via_alter": True,
    "row_filter": {"function": "f"},
    "submission_method": "serverless_cluster",
    "create_notebook": True,
    "persist_constraints": True,
}
OF_COLUMNS = """
models:
  - name: orders
    columns:
      - {name: v, column_mask: {function: f}, databricks_tags: {a: b}}
      - {name: id, databricks_tags: {a: b}}
"""

CATALOGS = """
catalogs:
  - name: ice
    write_integrations: [{name: of_unity, catalog_type: unity, table_format: iceberg}]
"""


def text(settings: dict[str, Any]) -> str:
    config = ", ".join(f"{key}={value!r}" for key, value in settings.items())
    return (
        "{{ config(materialized='incremental', " + config + ") }}\n"
        "select * from values {{ var('rows', '(1, 1, 1), (2, 2, 1)') }} as t(id, v, made_at)"
    )


def created(project: TestProjInfo) -> str:
    properties = dict(rows(project, "show tblproperties {schema}.seen"))
    return str(properties["transient_lastDdlTime"])


class TestDatabricksProject:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "orders.sql": text({**WORKING, **FOREIGN}),
            "orders.yml": OF_COLUMNS,
            "again.sql": text(
                {"unique_key": "id", "row_filter": {"function": "f"}, "liquid_clustered_by": "id"}
            ),
            "seen.sql": "{{ config(materialized='view', schedule='daily', sql_header='set a = 1',"
            " tblproperties={'steward': var('steward', 'ann')}) }} select 1 as id",
        }

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        Path(project.project_root, "catalogs.yml").write_text(CATALOGS)
        return dbt(project, "run")

    @pytest.mark.parametrize(
        "key", [*FOREIGN, "column_mask of columns", "databricks_tags of columns"]
    )
    def test_a_key_of_the_platform_is_told_once(self, first: Run, key: str) -> None:
        told = [each for each in first.warnings if f": {key} is not done: " in each]
        assert len(told) == 1

    def test_a_property_of_the_platform_is_told_and_left_out(
        self, project: TestProjInfo, first: Run
    ) -> None:
        told = "the table property 'delta.tuneFileSizesForRewrites' is not done: only Databricks"
        assert len([each for each in first.warnings if told in each]) == 1
        names = {name for name, _ in rows(project, "show tblproperties {schema}.orders")}
        assert "owner_team" in names
        assert "delta.tuneFileSizesForRewrites" not in names

    def test_a_clustering_that_waits_for_optimize_is_told_once_and_is_no_warning(
        self, first: Run
    ) -> None:
        assert len([each for each in first.notices if ": liquid_clustered_by: " in each]) == 1
        assert [each for each in first.warnings if "OPTIMIZE" in each] == []

    def test_a_view_tells_it_too(self, first: Run) -> None:
        told = [each for each in first.warnings if "'seen'" in each]
        assert len(told) == 2
        assert any(
            "schedule is not done: Spark has no scheduler for views" in each for each in told
        )
        assert any("sql_header has no effect on a view" in each for each in told)

    @pytest.mark.embedded("a server makes a view anew")
    def test_a_view_has_its_properties_and_is_remade_when_they_change(
        self, project: TestProjInfo, first: Run
    ) -> None:
        assert ("steward", "ann") in rows(project, "show tblproperties {schema}.seen")
        made = created(project)
        dbt(project, "run", "--select", "seen")
        assert created(project) == made
        dbt(project, "run", "--select", "seen", "--vars", "steward: bob")
        assert ("steward", "bob") in rows(project, "show tblproperties {schema}.seen")

    def test_the_other_keys_work(self, project: TestProjInfo, first: Run) -> None:
        assert first.status("orders") == "success", first.message("orders")
        variables = "{rows: '(1, 5, 2), (2, 0, 2), (3, -1, 2), (4, 4, 2)'}"
        run = dbt(project, "run", "--select", "orders", "--vars", variables)
        assert run.status("orders") == "success", run.message("orders")
        assert rows(project, "select * from {schema}.orders order by all") == [
            (1, 5, 1),
            (2, 2, 1),
            (4, 4, 2),
        ]


class TestAProfileThatLetsDeltaTakeAnyProperty:
    @pytest.fixture(scope="class")
    def dbt_profile_target(self, spark_target: dict[str, Any]) -> dict[str, Any]:
        conf = {"spark.databricks.delta.allowArbitraryProperties.enabled": True}
        return {**spark_target, "spark_config": {**spark_target["spark_config"], **conf}}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"sized.sql": text({"tblproperties": {"delta.targetFileSize": "64mb"}})}

    @pytest.mark.embedded("its session has the conf")
    def test_a_table_has_those_of_databricks(self, project: TestProjInfo) -> None:
        run = dbt(project, "run")
        assert run.warnings == ()
        properties = rows(project, "show tblproperties {schema}.sized")
        assert ("delta.targetFileSize", "64mb") in properties


class TestStrictProfile:
    @pytest.fixture(scope="class")
    def dbt_profile_target(self, spark_target: dict[str, Any]) -> dict[str, Any]:
        return {**spark_target, "strict": True}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        row_filter = {"function": "f"}
        hook = "pre_hook='create table {{ this.schema }}.of_a_hook (id int)'"
        seen = (
            "{{ config(materialized='view', row_filter={'function': 'f'}, "
            + hook
            + ") }} select 1 as id"
        )
        return {
            "orders.sql": text({"unique_key": "id", "row_filter": row_filter}),
            "seen.sql": seen,
            "misspelt.sql": "{{ config(materialized='table', tblpropertie={}) }} select 1 as id",
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        config = "strategy='check', check_cols='all', unique_key='idd'"
        foreign = "tblpropertie={'a': 'b'}, row_filter={'function': 'f'}"
        return {
            "kept.sql": "{% snapshot kept %}{{ config(" + f"{config}, {foreign}" + ") }}"
            " select 1 as id {% endsnapshot %}"
        }

    def test_a_strict_profile_refuses_what_it_cannot_do(self, project: TestProjInfo) -> None:
        run = dbt(project, "run")
        for name in ("orders", "seen"):
            assert run.status(name) == "error"
            assert "row_filter is not done: it needs Unity Catalog" in run.message(name)
        assert "has 1 config problem" in run.message("misspelt")
        assert "config 'tblpropertie' is not known" in run.message("misspelt")
        assert rows(project, "show tables in {schema}") == []

    def test_it_refuses_a_snapshot_with_all_that_is_wrong_at_once(
        self, project: TestProjInfo
    ) -> None:
        message = dbt(project, "snapshot").message("kept")
        for problem in (
            "has 3 config problems",
            "unique_key names 'idd', which the query does not produce; did you mean 'id'?",
            "config 'tblpropertie' is not known; did you mean 'tblproperties'?",
            "row_filter is not done: it needs Unity Catalog",
        ):
            assert problem in message
        assert rows(project, "show tables in {schema}") == []
