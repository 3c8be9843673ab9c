"""`create_table_as` and `create_view_as` called by a project's own macros and hooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dbt.tests.util import run_dbt
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

HELPERS = """
{% macro beside(kind) %}
  {%- set relation = this.incorporate(path={'identifier': 'a_' ~ kind}) -%}
  {%- set query = "select 'aside' as note" -%}
  {%- if kind == 'view' -%}{{ return(create_view_as(relation, query)) }}{%- endif -%}
  {{ return(create_table_as(false, relation, query)) }}
{% endmacro %}

{% macro made_without_a_model() %}
  {%- set table = api.Relation.create(schema=target.schema, identifier='made_table') -%}
  {%- do run_query(create_table_as(false, table, 'select 1 as id')) -%}
  {%- set named = target.schema ~ '.made_by_text' -%}
  {%- do run_query(get_create_table_as_sql(false, named, 'select 2 as id')) -%}
  {%- set view = api.Relation.create(schema=target.schema, identifier='made_view') -%}
  {%- do run_query(create_view_as(view, 'select 3 as id')) -%}
  {%- set other = api.Relation.create(schema=target.schema, identifier='other_view') -%}
  {%- do run_query(get_create_view_as_sql(other, 'select 4 as id')) -%}
{% endmacro %}
"""
KEPT = """
{{ config(materialized='incremental', location_root=var('root'), partition_by='day',
          contract={'enforced': true}, persist_docs={'relation': true}, on_schema_change='fail',
          tblproperties={'steward': 'ann'},
          pre_hook=["{{ beside('table') }}", "{{ beside('view') }}"]) }}
select {{ 2 if is_incremental() else 1 }} as id, date'2026-01-01' as day
"""
KEPT_YML = """
models:
  - name: kept
    description: What is kept.
    constraints: [{type: check, name: small, expression: id < 9}]
    columns: [{name: id, data_type: int}, {name: day, data_type: date}]
"""


class TestHelperTables:
    @pytest.fixture(scope="class")
    def project_config_update(self, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
        return {"vars": {"root": str(tmp_path_factory.mktemp("root"))}}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"kept.sql": KEPT, "kept.yml": KEPT_YML}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"helpers.sql": HELPERS}

    def test_one_of_a_model_leaves_the_models_rows_and_has_none_of_its_settings(
        self, project: TestProjInfo, project_config_update: dict[str, Any]
    ) -> None:
        for _ in range(2):
            run = dbt(project, "run")
            assert run.status("kept") == "success", run.message("kept")
        assert rows(project, "select id from {schema}.kept order by id") == [(1,), (2,)]
        for name in ("a_table", "a_view"):
            assert rows(project, f"select * from {{schema}}.{name}") == [("aside",)]
        detail = project.run_sql(f"describe detail {project.test_schema}.a_table", fetch="one")
        assert project_config_update["vars"]["root"] not in detail["location"]
        assert (detail["partitionColumns"], detail["description"]) == ([], None)
        assert [key for key in detail["properties"] if "steward" in key or "small" in key] == []

    def test_an_operation_makes_them_with_defaults(self, project: TestProjInfo) -> None:
        run_dbt(["run-operation", "made_without_a_model"])
        names = ("made_table", "made_by_text", "made_view", "other_view")
        found = [rows(project, f"select id from {{schema}}.{name}") for name in names]
        assert found == [[(1,)], [(2,)], [(3,)], [(4,)]]
