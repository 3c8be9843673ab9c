"""A package that reads information_schema, found by dispatch as docs/packages.md says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from local_package import install
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# It dispatches as dbt_utils does, with the same names and arguments.
MACROS = """
{% macro get_tables_by_pattern_sql(schema, table, exclude='', database=target.database) %}
  {% set macro = adapter.dispatch('get_tables_by_pattern_sql', 'dbt_utils') %}
  {{ return(macro(schema, table, exclude, database)) }}
{% endmacro %}

{% macro default__get_tables_by_pattern_sql(schema, table, exclude='', database=none) %}
  select table_schema, table_name,
    case table_type when 'BASE TABLE' then 'table' else lower(table_type) end as table_type
  from {{ database }}.information_schema.tables
  where table_schema ilike '{{ schema }}'
    and table_name ilike '{{ table }}' and table_name not ilike '{{ exclude }}'
{% endmacro %}

{% macro get_relations_by_prefix(schema, prefix, exclude='', database=target.database) %}
  {{ return(dbt_utils.get_relations_by_pattern(schema, prefix ~ '%', exclude, database)) }}
{% endmacro %}

{% macro get_relations_by_pattern(schema, table, exclude='', database=target.database) %}
  {% call statement('get_tables', fetch_result=True) %}
    {{ dbt_utils.get_tables_by_pattern_sql(schema, table, exclude, database) }}
  {% endcall %}
  {% set listed, relations = load_result('get_tables'), [] %}
  {% for row in (listed['table'] if listed else []) %}
    {% do relations.append(api.Relation.create(database=database, schema=row.table_schema,
        identifier=row.table_name, type=row.table_type)) %}
  {% endfor %}
  {{ return(relations) }}
{% endmacro %}

{% macro deduplicate(relation, partition_by, order_by) %}
  {{ return(adapter.dispatch('deduplicate', 'dbt_utils')(relation, partition_by, order_by)) }}
{% endmacro %}

{% macro default__deduplicate(relation, partition_by, order_by) %}
  {{ exceptions.raise_compiler_error('dispatch found no other') }}
{% endmacro %}

{% macro first_columns(n) %}
  {{ return(adapter.dispatch('first_columns', 'dbt_utils')(n)) }}
{% endmacro %}

{% macro default__first_columns(n) %}
  {{ return(range(1, n + 1) | join(', ')) }}
{% endmacro %}
"""


def listing(patterns: str, by: str = "pattern") -> str:
    """A model of what the package finds."""
    return (
        "{{ config(materialized='table', tags='listing') }}\n"
        "select cast(null as string) as name, cast(null as string) as kind where false\n"
        "{% for found in dbt_utils.get_relations_by_" + by + "(" + patterns + ") %}\n"
        "union all select '{{ found.identifier }}', '{{ found.type }}'\n{% endfor %}"
    )


LISTINGS = {
    "by_prefix.sql": listing("target.schema, 'ORDERS'", by="prefix"),
    "of_a_prefix.sql": listing("target.schema, 'ORDERS%'"),
    "of_one_year.sql": listing("target.schema, 'orders__0_5'"),
    "but_for_one.sql": listing("target.schema, 'orders%', exclude='%2024'"),
    "of_all_schemas.sql": listing("target.schema[:-3] ~ '%', 'item_'"),
    "of_no_schema.sql": listing("'no_such_schema', '%'"),
    "orders_2024.sql": "{{ config(materialized='table') }} select 1 as id",
    "orders_2025.sql": "{{ config(materialized='view') }} select 1 as id",
    "items.sql": "{{ config(materialized='table') }}"
    " select * from values (1, 'a', 2), (1, null, 3), (2, null, 1) as t(id, name, at)",
}
MODELS = {
    **LISTINGS,
    "latest.sql": "{{ config(materialized='table') }}"
    " {{ dbt_utils.deduplicate(ref('items'), 'id', 'at desc') }}",
    "unchanged.sql": "{{ config(materialized='table') }}"
    " select name, count(*) as n from {{ ref('items') }} group by {{ dbt_utils.first_columns(1) }}",
}


LISTED = """{% snapshot listed %}
{{ config(unique_key='table_name', strategy='check', check_cols='all') }}
select table_name, table_type from {{ target.database }}.information_schema.tables
where table_schema = '{{ target.schema }}' and table_name = 'items'
{% endsnapshot %}
"""


class Searches:
    """What a search by name finds, in the terms of dbt's relations."""

    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "dbt_utils"}]}

    @pytest.fixture(scope="class", autouse=True)
    def run(self, project: TestProjInfo) -> Any:
        install(project, "dbt_utils", MACROS)
        dbt(project, "run", "--exclude", "tag:listing")
        return dbt(project, "run", "--select", "tag:listing")

    @pytest.mark.parametrize(
        ("model", "found"),
        [
            ("by_prefix", [("orders_2024", "table"), ("orders_2025", "view")]),
            ("of_a_prefix", [("orders_2024", "table"), ("orders_2025", "view")]),
            ("of_one_year", [("orders_2025", "view")]),
            ("but_for_one", [("orders_2025", "view")]),
            ("of_all_schemas", [("items", "table")]),
            ("of_no_schema", []),
        ],
    )
    def test_relations_are_found_by_their_names(
        self, project: TestProjInfo, model: str, found: list[tuple[str, str]]
    ) -> None:
        assert rows(project, f"select name, kind from {{schema}}.{model} order by name") == found


class TestDbtUtilsWithoutDispatch(Searches):
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return LISTINGS


class TestDbtUtils(Searches):
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        order = ["test", "dbt", "dbt_utils"]
        return {"dispatch": [{"macro_namespace": "dbt_utils", "search_order": order}]}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return MODELS

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"listed.sql": LISTED}

    def test_deduplicated_rows_keep_their_nulls(self, project: TestProjInfo) -> None:
        found = rows(project, "select id, name, at from {schema}.latest order by id")
        assert found == [(1, None, 3), (2, None, 1)]

    def test_the_packages_other_macros_stay_its_own(self, project: TestProjInfo) -> None:
        found = rows(project, "select name, n from {schema}.unchanged order by n")
        assert found == [("a", 1), (None, 2)]

    def test_a_snapshot_of_information_schema(self, project: TestProjInfo) -> None:
        for _ in range(2):
            run = dbt(project, "snapshot")
            assert run.status("listed") == "success", run.message("listed")
        assert rows(project, "select table_name, dbt_valid_to from {schema}.listed") == [
            ("items", None)
        ]
