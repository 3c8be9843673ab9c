"""YAML written of what is there, as codegen does, without `dispatch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from local_package import install
from runs import dbt, operation

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# It asks an adapter what codegen does: information_schema, columns, their types, the graph.
MACROS = """
{% macro yaml_of_schema(schema_name, pattern='%') %}
  {% set found = run_query(
      "select distinct table_schema, table_name as " ~ adapter.quote('called')
      ~ ", lower(replace(table_type, 'BASE ', '')) as kind from " ~ target.database
      ~ ".information_schema.tables where table_schema ilike '" ~ schema_name
      ~ "' and table_name ilike '" ~ pattern ~ "' order by 2") %}
  {% set tables = [] %}
  {% for row in found %}
    {% set relation = api.Relation.create(
        database=target.database, schema=row.table_schema, identifier=row.called, type=row.kind) %}
    {% do tables.append(
        {'name': row.called, 'kind': row.kind, 'columns': codegen.columns_of(relation, {})}) %}
  {% endfor %}
  {{ print(toyaml({'sources': tables})) }}
{% endmacro %}

{% macro yaml_of_models(names) %}
  {% set models = [] %}
  {% for name in names %}
    {% set texts = codegen.texts_of_parents(name) %}
    {% set columns = codegen.columns_of(ref(name), texts) %}
    {% do models.append(
        {'name': name, 'kind': '' ~ load_relation(ref(name)).type, 'columns': columns}) %}
  {% endfor %}
  {{ log(toyaml({'models': models}), info=True) }}
{% endmacro %}

{% macro columns_of(relation, texts) %}
  {% set columns = [] %}
  {% for column in adapter.get_columns_in_relation(relation) %}
    {% set about = {'name': column.name, 'type': codegen.type_of(column)} %}
    {% if column.name | lower in texts %}
      {% do about.update(description=texts[column.name | lower]) %}
    {% endif %}
    {% do columns.append(about) if column.fields | length == 0 %}
  {% endfor %}
  {{ return(columns) }}
{% endmacro %}

{% macro type_of(column) %}
  {{ return(adapter.dispatch('type_of', 'codegen')(column)) }}
{% endmacro %}

{% macro default__type_of(column) %}
  {{ return(column.dtype if column.dtype == column.data_type else 'two types') }}
{% endmacro %}

{% macro texts_of_parents(name) %}
  {% set texts = {} %}
  {% set model = graph.nodes.values() | selectattr('name', 'equalto', name) | first %}
  {% for parent in model.depends_on.nodes %}
    {% for column in graph.nodes[parent].columns.values() %}
      {% do texts.update({column.name | lower: column.description}) %}
    {% endfor %}
  {% endfor %}
  {{ return(texts) }}
{% endmacro %}

{% macro make_raw_table() %}
  {% set folder = api.Relation.create(database=target.database, schema=target.schema) %}
  {% do run_query('drop table if exists ' ~ folder ~ '.raw') %}
  {% do run_query('create table ' ~ folder ~ '.raw as (select true as ' ~ adapter.quote('Is_Raw') ~ ')') %}
{% endmacro %}
"""  # noqa: E501
MODELS = {
    "orders.sql": "{{ config(materialized='table') }} select 1 as Id, 'a' as name,"
    " cast(1.5 as decimal(10,2)) as amount, array(named_struct('x', 1L)) as parts",
    "orders.yml": "models: [{name: orders, columns: [{name: id, description: The order's.}]}]",
    "seen.sql": "select Id, timestamp'2026-01-01 00:00:00' as at from {{ ref('orders') }}",
}
ORDERS = [
    {"name": "Id", "type": "int"},
    {"name": "name", "type": "string"},
    {"name": "amount", "type": "decimal(10,2)"},
    {"name": "parts", "type": "array<struct<x:bigint>>"},
]
RAW = {"name": "raw", "kind": "table", "columns": [{"name": "Is_Raw", "type": "boolean"}]}


class TestCodegen:
    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "codegen"}]}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return MODELS

    @pytest.fixture(scope="class", autouse=True)
    def run(self, project: TestProjInfo) -> None:
        install(project, "codegen", MACROS)
        dbt(project, "run")
        operation(project, "codegen.make_raw_table")

    def test_sources_are_what_information_schema_lists(self, project: TestProjInfo) -> None:
        found = written(project, "codegen.yaml_of_schema", schema_name=project.test_schema)
        assert [(each["name"], each["kind"]) for each in found["sources"]] == [
            ("orders", "table"),
            ("raw", "table"),
            ("seen", "view"),
        ]
        assert found["sources"][0]["columns"] == ORDERS
        assert found["sources"][1] == RAW

    def test_models_have_the_types_and_texts_of_their_columns(self, project: TestProjInfo) -> None:
        found = written(project, "codegen.yaml_of_models", names=["orders", "seen"])
        id_with_text = {"name": "Id", "type": "int", "description": "The order's."}
        assert found["models"] == [
            {"name": "orders", "kind": "table", "columns": ORDERS},
            {
                "name": "seen",
                "kind": "view",
                "columns": [id_with_text, {"name": "at", "type": "timestamp"}],
            },
        ]


def written(project: TestProjInfo, macro: str, **arguments: Any) -> dict[str, Any]:
    """The YAML that the macro prints."""
    (text,) = operation(project, macro, **arguments)
    found: dict[str, Any] = yaml.safe_load(text)
    return found
