"""Results of a run inserted by its last hook, as dbt_artifacts does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from local_package import install
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# What it has for Spark is found, as in dbt_artifacts; so is how it writes texts.
MACROS = r"""
{% macro upload(results) %}
  {% if not execute %}{{ return('') }}{% endif %}
  {% for kind in ('model', 'seed', 'test') %}
    {% set done = results | selectattr('node.resource_type', 'equalto', kind) | list %}
    {% do dbt_artifacts.insert('executions', done, dbt_artifacts.row_of_result) %}
  {% endfor %}
  {% set models = graph.nodes.values() | selectattr('resource_type', 'equalto', 'model') | list %}
  {% do dbt_artifacts.insert('nodes', models, dbt_artifacts.row_of_node) %}
{% endmacro %}

{% macro insert(name, objects, row_of, at_once=2) %}
  {% set node = graph.nodes.values() | selectattr('name', 'equalto', name) | first %}
  {% set relation = api.Relation.create(
      database=node.database, schema=node.schema, identifier=node.alias) %}
  {% for start in range(0, objects | length, at_once) %}
    {% set lines = [] %}
    {% for each in objects[start:start + at_once] %}
      {% do lines.append('(' ~ row_of(each) | join(',\n') ~ ') -- a row\n') %}
    {% endfor %}
    {% do adapter.dispatch('insert_lines', 'dbt_artifacts')(relation, lines) %}
  {% endfor %}
{% endmacro %}

{% macro default__insert_lines(relation, lines) %}
  {% do exceptions.raise_compiler_error('not implemented') %}
{% endmacro %}

{% macro spark__insert_lines(relation, lines) %}
  {% set names = adapter.get_columns_in_relation(relation) | map(attribute='name') | list %}
  {% set places = [] %}
  {% for _ in names %}{% do places.append('col' ~ loop.index) %}{% endfor %}
  {% do run_query('insert into ' ~ relation ~ ' (' ~ names | join(', ') ~ ')\n select '
      ~ places | join(', ') ~ ' from values\n' ~ lines | join(', ')) %}
{% endmacro %}

{% macro text(value) %}
  {{ return("'" ~ value | replace('\\', '\\\\') | replace("'", "\\'") | replace('"', '\\"') ~ "'") }}
{% endmacro %}

{% macro row_of_result(result) %}
  {% set executed = result.timing | selectattr('name', 'eq', 'execute') | first | default({}) %}
  {% set at = executed['completed_at'] %}
  {{ return([
    dbt_artifacts.text(invocation_id), dbt_artifacts.text(result.node.name),
    "'" ~ run_started_at ~ "'", "'" ~ (flags.FULL_REFRESH or false) ~ "'",
    "'" ~ at ~ "'" if at else 'null', result.execution_time,
    'null' if result.failures is none else result.failures,
    dbt_artifacts.text(result.status), dbt_artifacts.text(result.message),
    dbt_artifacts.text(tojson(result.adapter_response))
  ]) }}
{% endmacro %}

{% macro row_of_node(node) %}
  {{ return([
    dbt_artifacts.text(invocation_id), dbt_artifacts.text(node.name),
    dbt_artifacts.text(node.database), dbt_artifacts.text(node.schema),
    dbt_artifacts.text(tojson(node.depends_on.nodes)), dbt_artifacts.text(tojson(node.config.meta)),
    dbt_artifacts.text(tojson(node))
  ]) }}
{% endmacro %}
"""  # noqa: E501
STAYS = "{{ config(materialized='incremental', full_refresh=false) }}"
EXECUTIONS = {
    "invocation": "string",
    "name": "string",
    "run_started_at": "timestamp",
    "was_full_refresh": "boolean",
    "completed_at": "timestamp",
    "took": "float",
    "failures": "int",
    "status": "string",
    "message": "string",
    "response": "string",
}
NODES = dict.fromkeys(
    ("invocation", "name", "database", "schema", "parents", "meta", "whole"), "string"
)
NOTED = {"name": "odd", "config": {"meta": {"note": 'Ann\'s \\ "own" é'}}}
ODD = r"""{{ config(materialized='table') }}
{# it's "not" sent: \ #}
select cast(raise_error('it''s a "bad" \\d+ 100%_') as int) as id
"""


def kept(columns: dict[str, str]) -> str:
    """A table with these columns that stays, and its model adds no row."""
    typed = ", ".join(f"cast(null as {kind}) as {name}" for name, kind in columns.items())
    return f"{STAYS} select {typed} from (select 1 as one) where 1 = 0"


class TestDbtArtifacts:
    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "dbt_artifacts"}]}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"on-run-end": "{{ dbt_artifacts.upload(results) }}"}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "executions.sql": kept(EXECUTIONS),
            "nodes.sql": kept(NODES),
            "fruit.sql": "{{ config(materialized='incremental', unique_key='id') }}"
            " select * from {{ ref('loaded') }}",
            "fruit.yml": "models: [{name: fruit, columns: [{name: id, data_tests: [not_null]}]}]",
            "odd.sql": ODD,
            "odd.yml": json.dumps({"models": [NOTED]}),
        }

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        return {"loaded.csv": "id,name\n1,apple\n,banana\n"}

    @pytest.fixture(scope="class")
    def builds(self, project: TestProjInfo) -> tuple[Run, Run]:
        """The second makes all tables anew, but those with the results."""
        install(project, "dbt_artifacts", MACROS)
        return dbt(project, "build"), dbt(project, "build", "--full-refresh")

    def test_results_of_each_build_are_inserted(
        self, project: TestProjInfo, builds: tuple[Run, Run]
    ) -> None:
        for build in builds:
            assert build.status("test-on-run-end-0") == "success"
        found = rows(
            project,
            "select was_full_refresh, name, status, failures, took >= 0,"
            " run_started_at is not null from {schema}.executions order by 1, 2",
        )
        assert found == [
            (is_full, name, status, failures, True, True)
            for is_full in (False, True)
            for name, status, failures in (
                ("executions", "success", None),
                ("fruit", "success", None),
                ("loaded", "success", None),
                ("nodes", "success", None),
                ("not_null_fruit_id", "fail", 1),
                ("odd", "error", None),
            )
        ]

    def test_texts_are_as_dbt_has_them(
        self, project: TestProjInfo, builds: tuple[Run, Run]
    ) -> None:
        found = rows(
            project,
            "select name, message, response from {schema}.executions"
            " where was_full_refresh and name in ('fruit', 'odd') order by name",
        )
        _, build = builds
        assert [(name, message) for name, message, _ in found] == [
            (name, build.message(name)) for name in ("fruit", "odd")
        ]
        assert "bad" in found[1][1]
        assert json.loads(found[0][2]) == build.response("fruit")

    def test_nodes_come_whole(self, project: TestProjInfo, builds: tuple[Run, Run]) -> None:
        found = rows(
            project,
            "select distinct parents, meta, whole from {schema}.nodes where name = 'odd'"
            " and get_json_object(whole, '$.name') = name",
        )
        assert {parents for parents, _, _ in found} == {"[]"}
        assert json.loads(found[0][1]) == NOTED["config"]["meta"]
        assert json.loads(found[0][2])["raw_code"] == ODD.strip()
