"""The project's own graph in tables, as dbt_project_evaluator has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from local_package import install
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# What it has for Spark is found, as in dbt_project_evaluator; dbt's own macros do the rest.
MACROS = r"""
{% macro insert_graph(relation, edges=false) %}
  {% if not execute %}{{ return('') }}{% endif %}
  {% set lines = [] %}
  {% for node in graph.nodes.values() if node.fqn[1] == 'shop' and node.resource_type == 'model' %}
    {% set name = dbt_project_evaluator.quoted_or_null(node.name) %}
    {% set about = node.columns.values() | map(attribute='description') | first | default(none) %}
    {% if edges %}
      {% for parent in node.depends_on.nodes or [none] %}
        {% set of_parent = parent.split('.')[-1] if parent else none %}
        {% do lines.append([name, dbt_project_evaluator.quoted_or_null(of_parent)]) %}
      {% endfor %}
    {% else %}
      {% do lines.append([
        name, dbt_project_evaluator.quoted_or_null(node.original_file_path),
        'cast(' ~ (node.config.materialized == 'view') ~ ' as ' ~ dbt.type_boolean() ~ ')',
        (node.raw_code.count('select') * 0.5),
        dbt_project_evaluator.quoted_or_null(
            dbt.escape_single_quotes(about | replace('\\', '\\\\')) if about else none)
      ]) %}
    {% endif %}
  {% endfor %}
  {% for start in range(0, lines | length, var('batch')) %}
    {% set batch = lines[start:start + var('batch')] | map('join', ', \n') | join('), \n\n(') %}
    {% call statement('insert') %}
      insert into {{ relation }} values
      ({{ batch }});
    {% endcall %}
  {% endfor %}
{% endmacro %}

{% macro quoted_or_null(text) %}
  {% if text is none %}{{ return('cast(NULL as ' ~ dbt.type_string() ~ ')') }}{% endif %}
  {{ return(dbt.string_literal(text)) }}
{% endmacro %}

{% macro spark__escape_single_quotes(expression) %}{{ return(expression | replace("'", "\\'")) }}{% endmacro %}

{% macro paths(depth) %}
  {{ return(adapter.dispatch('paths', 'dbt_project_evaluator')(depth)) }}
{% endmacro %}

{% macro default__paths(depth) %}
  {% do exceptions.raise_compiler_error('not implemented') if execute %}
{% endmacro %}

{% macro spark__paths(depth) %}
  with edges as (select * from {{ ref('edges') }}),
  path_0 as (
    select distinct name as ancestor, name as descendant, 0 as distance,
      {{ dbt.array_construct(['name']) }} as path, cast(null as {{ dbt.type_boolean() }}) as is_long
    from edges
  )
  {% for step in range(1, depth) %}
  , path_{{ step }} as (
    select so_far.ancestor, edges.name as descendant, so_far.distance + 1 as distance,
      {{ dbt.array_append('so_far.path', 'edges.name') }} as path,
      so_far.distance > 0 and coalesce(so_far.is_long, true) as is_long
    from edges join path_{{ step - 1 }} as so_far on so_far.descendant = edges.parent
  )
  {% endfor %}
  {% for step in range(depth) %}
  select * from path_{{ step }} {{ 'union all' if not loop.last }}
  {% endfor %}
{% endmacro %}

{% macro filter_exceptions() %}
  {% set asked = 'select column_name, id_to_exclude from ' ~ ref('exceptions')
      ~ " where fct_name = '" ~ model.name ~ "'" %}
  {% if execute and flags.WHICH != 'compile' %}
    where 1 = 1
    {% for row in run_query(asked) %} and {{ row[0] }} not like '{{ row[1] }}' {% endfor %}
  {% endif %}
{% endmacro %}

{% macro print_issues() %}
  {% for result in results | selectattr('failures') | selectattr('failures', '>', 0) %}
    {% set checked = graph['nodes'][result.node.depends_on.nodes[0]] %}
    {% set found = run_query('select * from ' ~ checked.relation_name) %}
    {{ print(checked.name ~ ': ' ~ found.columns[0].values() | join(', ')) }}
    {{ print(found.print_table(max_column_width=80, max_rows=1000) or '') }}
  {% endfor %}
{% endmacro %}

{% test is_empty(model) %}
  {{ config(severity='warn', fail_calc='n_records') }}
  select count(*) as n_records from {{ model }}
{% endtest %}
"""  # noqa: E501
TABLE = "{{ config(materialized='table'%s) }} "
FILLED = ', post_hook="{{ dbt_project_evaluator.insert_graph(this%s) }}"'
NODES = """
select cast(null as {{ dbt.type_string() }}) as name, cast(null as string) as file,
  cast(1 as {{ dbt.type_boolean() }}) as is_view, cast(null as {{ dbt.type_float() }}) as score,
  cast(null as string) as about
from (select 1 as one) where 1 = 0
"""
EDGES = """
select cast(null as string) as name, cast(null as string) as parent
from (select 1 as one) where 1 = 0
"""
FANOUTS = """
with leaves as (select ancestor from {{ ref('paths') }} group by ancestor having max(distance) = 0),
counted as (
  select paths.ancestor as parent, {{ dbt.listagg(measure='paths.descendant', delimiter_text="', '",
      order_by_clause='order by paths.descendant' if target.type == 'snowflake') }} as leaf_children
  from {{ ref('paths') }} as paths join leaves on paths.descendant = leaves.ancestor
  where paths.distance = 1 group by paths.ancestor having count(*) >= 2
)
select * from counted {{ dbt_project_evaluator.filter_exceptions() }}
"""
MODELS = {
    "shop": {
        "stg_orders.sql": "select 1 as id",
        "stg_items.sql": "select 1 as id",
        "int_orders.sql": "select * from {{ ref('stg_orders') }}",
        "fct_orders.sql": "select * from {{ ref('int_orders') }}",
        "fct_sales.sql": "select * from {{ ref('int_orders') }}"
        " join {{ ref('stg_items') }} using (id)",
        "fct_items.sql": TABLE % "" + "select * from {{ ref('stg_items') }}",
        "shop.yml": r"models: [{name: stg_items, columns: [{name: id, description: 'It''s \d'}]}]",
    },
    "nodes.sql": TABLE % (FILLED % "") + NODES,
    "edges.sql": TABLE % (FILLED % ", edges=true") + EDGES,
    "paths.sql": TABLE % "" + "{{ dbt_project_evaluator.paths(4) }}",
    "fanouts.sql": TABLE % "" + FANOUTS,
    "fanouts.yml": "models: [{name: fanouts, data_tests: [dbt_project_evaluator.is_empty]}]",
}


class TestDbtProjectEvaluator:
    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "dbt_project_evaluator"}]}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        order = ["test", "dbt_project_evaluator", "dbt"]
        text = dict.fromkeys(("fct_name", "column_name", "id_to_exclude", "comment"), "string")
        return {
            "dispatch": [{"macro_namespace": "dbt", "search_order": order}],
            "seeds": {"+column_types": text},
            "vars": {"batch": 4},
            "on-run-end": "{{ dbt_project_evaluator.print_issues() }}",
        }

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, Any]:
        return MODELS

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        names = "fct_name,column_name,id_to_exclude,comment"
        return {
            "exceptions.csv": f"{names}\nfanouts,parent,stg_%,read alone\nother,parent,%,all\n",
            "no_exceptions.csv": names,
        }

    @pytest.fixture(scope="class")
    def build(self, project: TestProjInfo) -> Run:
        install(project, "dbt_project_evaluator", MACROS)
        return dbt(project, "build")

    def test_nodes_are_inserted_in_batches(self, project: TestProjInfo, build: Run) -> None:
        inserts = [sql for sql in build.statements_of("nodes") if "insert into" in sql]
        assert len(inserts) == 2
        found = rows(project, "select name, is_view, score, about from {schema}.nodes order by 1")
        assert found == [
            ("fct_items", False, 0.5, None),
            ("fct_orders", True, 0.5, None),
            ("fct_sales", True, 0.5, None),
            ("int_orders", True, 0.5, None),
            ("stg_items", True, 0.5, "It's \\d"),
            ("stg_orders", True, 0.5, None),
        ]

    def test_paths_are_followed_step_by_step(self, project: TestProjInfo, build: Run) -> None:
        found = rows(
            project,
            "select distance, path, is_long from {schema}.paths"
            " where ancestor = 'stg_orders' order by distance, descendant",
        )
        start, middle = ["stg_orders"], ["stg_orders", "int_orders"]
        assert found == [
            (0, start, None),
            (1, middle, False),
            (2, [*middle, "fct_orders"], False),
            (2, [*middle, "fct_sales"], False),
        ]

    def test_exceptions_are_left_out_and_the_rest_is_printed(
        self, project: TestProjInfo, build: Run
    ) -> None:
        found = rows(
            project,
            "select parent, array_sort(split(leaf_children, ', ')) from {schema}.fanouts",
        )
        assert found == [("int_orders", ["fct_orders", "fct_sales"])]
        (checked,) = [name for name in build.results if name.startswith("dbt_project_evaluator_is")]
        assert build.status(checked) == "warn"
        assert [each for each in build.printed if each.strip()] == ["fanouts: int_orders"]
        assert rows(project, "select count(*) from {schema}.no_exceptions") == [(0,)]
