"""Macros that a project brings from another adapter: told where nothing here would run them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from dbt.tests.util import run_dbt
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

NOT_RUN = """
{% macro spark__create_table_as(temporary, relation, compiled_code, language='sql') %}
  create table {{ relation }} {{ file_format_clause() }} as {{ compiled_code }}
{% endmacro %}
{% macro spark__location_clause() %}location '/nowhere'{% endmacro %}
{% macro file_format_clause() %}using csv{% endmacro %}
{% macro optimize(relation) %}select 1{% endmacro %}
{% macro default__load_csv_rows(model, agate_table) %}{% endmacro %}
{% macro databricks__get_merge_sql(target, source) %}{% endmacro %}
{% macro databricks__create_view_as(relation, sql) %}{% endmacro %}
{% macro spark__snapshot_merge_sql(target, source, insert_cols) %}{% endmacro %}

{% macro cents(column) %}{{ return(adapter.dispatch('cents')(column)) }}{% endmacro %}
{% macro default__cents(column) %}{{ column }} / 100{% endmacro %}
{% macro databricks__cents(column) %}{{ column }} div 100{% endmacro %}
{% macro databricks__called(column) %}{{ column }}{% endmacro %}
{% macro databricks__led() %}{{ return('led') }}{% endmacro %}
{% macro spark__led() %}{{ return(databricks__led(*varargs, **kwargs)) }}{% endmacro %}

{% materialization table, adapter='spark' %}{{ return({'relations': []}) }}{% endmaterialization %}
"""
MODELS = {
    "first.sql": "{{ config(materialized='table', post_hook='{{ optimize(this) }}') }}"
    " select {{ cents('101') }} as n, {{ databricks__called(7) }} as seven",
    "second.sql": "{{ config(materialized='table') }} select * from {{ ref('first') }}",
    "third.sql": "{{ config(materialized='incremental', unique_key='n') }}"
    " select n, '{{ adapter.dispatch('led')() }}' as led from {{ ref('second') }}",
    "fourth.sql": "select * from {{ ref('third') }}",
}
SNAPSHOTS = """
snapshots:
  - name: kept
    relation: ref('third')
    config: {unique_key: n, strategy: check, check_cols: all}
"""
TOLD_ONCE = [
    "macro spark__create_table_as is not run",
    "macro spark__location_clause is not run",
    "macro default__load_csv_rows is not run",
    "macro databricks__get_merge_sql is not run",
    "macro databricks__create_view_as is not run",
    "macro spark__snapshot_merge_sql is not run",
    "materialization 'table' of adapter 'spark' is not run",
    "macro databricks__cents is never found",
]


class TestMacrosOfOtherAdapters:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return MODELS

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"loaded.csv": "id\n1\n"}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.yml": SNAPSHOTS}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"of_others.sql": NOT_RUN}

    @pytest.fixture(scope="class")
    def built(self, project: TestProjInfo) -> Run:
        return dbt(project, "build")

    @pytest.mark.parametrize("told", TOLD_ONCE)
    def test_what_is_not_run_is_told_once(self, built: Run, told: str) -> None:
        assert len([each for each in built.warnings if told in each]) == 1

    def test_nothing_else_is_told(self, project: TestProjInfo, built: Run) -> None:
        about = [each for each in built.warnings if "the project's" in each]
        assert len(about) == len(TOLD_ONCE), about
        assert rows(project, "select n, led from {schema}.fourth") == [(1.01, "led")]


SOURCES = """
sources:
  - name: shop
    schema: "{{ target.schema }}"
    tables:
      - {name: orders, identifier: "`orders`"}
"""
READS = """
{% set found = load_relation(source('shop', 'orders')) %}
select id, {{ found.is_delta }} as is_delta from {{ source('shop', 'orders') }}
"""


class TestSourceInBackticks:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"sources.yml": SOURCES, "reads.sql": READS}

    def test_it_is_the_table_of_the_name(self, project: TestProjInfo) -> None:
        project.run_sql("create table {schema}.orders using delta as select 1 as id")
        run = dbt(project, "run")
        assert run.status("reads") == "success", run.message("reads")
        assert rows(project, "select * from {schema}.reads") == [(1, True)]
        catalog = run_dbt(["docs", "generate"])
        assert [*catalog.sources] == ["source.test.shop.orders"]


HELPERS = """
{% macro get_incremental_own_append_sql(arguments) %}
  {% do return(get_insert_into_sql(arguments['temp_relation'], arguments['target_relation'])) %}
{% endmacro %}

{% materialization made, adapter='deltaspark' %}
  {% set known = adapter.get_relation(database, schema, this.name, needs_information=True) %}
  {% set target = this.incorporate(type='table') %}
  {{ run_pre_hooks() }}
  {% call statement('main') %}
    create or replace table {{ target }} using {{ adapter.resolve_file_format(config) }}
    {{ liquid_clustered_cols() }} as select '{{ known is none }}' as is_first, * from ({{ sql }})
  {% endcall %}
  {{ run_post_hooks() }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
"""
NOTE = "insert into {{ this.schema }}.notes values ('%s')"
HELPED = {
    "appends.sql": "{{ config(materialized='incremental', incremental_strategy='own_append') }}"
    " select 1 as id, 'a' as `the name`",
    "made.sql": "{{ config(materialized='made', liquid_clustered_by=['id'],"
    f' pre_hook="{NOTE % "before"}", post_hook="{NOTE % "after"}") }}}} select 1 as id',
    "ordered.sql": "{{ config(materialized='table', zorder='`the id`, v',"
    " optimize={'after_runs': 9}, post_hook='{{ optimize(this) }}') }}"
    " select id as `the id`, id as v from range(10)",
}


class TestHelpersOfOtherAdapters:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return HELPED

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"helpers.sql": HELPERS}

    def test_they_do_what_macros_that_call_them_expect(self, project: TestProjInfo) -> None:
        project.run_sql("create table {schema}.notes (hook string) using delta")
        for _ in range(2):
            run = dbt(project, "run")
            failed = {
                name: run.message(name) for name in HELPED if run.status(name[:-4]) != "success"
            }
            assert failed == {}
        assert rows(project, "select * from {schema}.appends") == [(1, "a"), (1, "a")]
        assert rows(project, "select * from {schema}.made") == [("False", 1)]
        details = rows(project, "describe detail {schema}.made")
        assert "id" in str(details)
        notes = rows(project, "select hook, count(*) from {schema}.notes group by 1 order by 1")
        assert notes == [("after", 2), ("before", 2)]
        (last, *_) = rows(project, "describe history {schema}.ordered")
        assert last[4] == "OPTIMIZE"
        assert "the id" in str(last[5])
