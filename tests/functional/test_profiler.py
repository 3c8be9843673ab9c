"""Columns measured one by one, as dbt_profiler does, with the macros that dispatch finds for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import yaml
from local_package import install
from runs import dbt, operation, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# It dispatches as dbt_profiler does, with the same names and arguments.
MACROS = """
{% macro type_string() %}{{ return(adapter.dispatch('type_string', 'dbt_profiler')()) }}{% endmacro %}
{% macro default__type_string() %}varchar{% endmacro %}

{% macro is_numeric_dtype(dtype) %}
  {{ return(adapter.dispatch('is_numeric_dtype', 'dbt_profiler')(dtype)) }}
{% endmacro %}
{% macro default__is_numeric_dtype(dtype) %}{{ return(dtype == 'number') }}{% endmacro %}

{% macro types_of(relation) %}
  {% set listed = run_query(
      'select * from ' ~ relation.information_schema() ~ ".COLUMNS where lower(table_schema) = lower('"
      ~ relation.schema ~ "') and lower(table_name) = lower('" ~ relation.identifier
      ~ "') order by ordinal_position") %}
  {% set listed = listed.rename(listed.column_names | map('lower')) %}
  {% set names, types = listed.columns['column_name'].values(), listed.columns['data_type'].values() %}
  {{ return(dict(zip(names | map('lower'), types | map('lower')))) }}
{% endmacro %}

{% macro profile_sql(relation) %}
  {% if not execute %}{{ return('') }}{% endif %}
  {% do run_query('select * from ' ~ relation ~ ' limit 0') %}
  {% set types = dbt_profiler.types_of(relation) %}
  {% set nothing = 'cast(null as ' ~ dbt.type_numeric() ~ ')' %}
  {% set parts = [] %}
  {% for column in adapter.get_columns_in_relation(relation) %}
    {% set name, type = adapter.quote(column.name), types[column.name | lower] %}
    {% set is_number = dbt_profiler.is_numeric_dtype(type) %}
    {% set is_ordered = is_number or type.startswith('date') or type.startswith('timestamp') %}
    {% set least = 'min(' ~ name ~ ')' if is_ordered else 'null' %}
    {% set mean = 'avg(' ~ name ~ ')' if is_number
        else 'avg(case when ' ~ name ~ ' then 1 else 0 end)' if type.startswith('bool') else nothing %}
    {% do parts.append(
        "select '" ~ column.name ~ "' as column_name, '" ~ type ~ "' as data_type, "
        ~ 'cast(count(*) as ' ~ dbt.type_bigint() ~ ') as row_count, '
        ~ 'count(' ~ name ~ ') / cast(count(*) as ' ~ dbt.type_numeric() ~ ') as share, '
        ~ 'count(distinct ' ~ name ~ ') = count(*) as is_unique, '
        ~ 'cast(' ~ least ~ ' as ' ~ dbt_profiler.type_string() ~ ') as least, ' ~ mean ~ ' as mean, '
        ~ ('median(' ~ name ~ ')' if is_number else nothing) ~ ' as middle, '
        ~ ('stddev_pop(' ~ name ~ ')' if is_number else nothing) ~ ' as deviation, '
        ~ loop.index ~ ' as place from measured') %}
  {% endfor %}
  {{ return('with measured as (select * from ' ~ relation ~ ') ' ~ parts | join(' union all ')
      ~ ' order by place') }}
{% endmacro %}

{% macro print_profile(relation_name) %}
  {% set relation = adapter.get_relation(target.database, target.schema, relation_name) %}
  {% set measured = run_query(dbt_profiler.profile_sql(relation)) %}
  {% do measured.print_table(max_columns=13, max_column_width=30) %}
  {% set columns = [] %}
  {% for row in measured.rows %}
    {% set about = {} %}
    {% for key, value in row.dict().items() %}
      {% do about.update({key: measured.columns.get(key).data_type.jsonify(value)}) %}
    {% endfor %}
    {% do columns.append(about) %}
  {% endfor %}
  {{ log(toyaml(columns), info=True) }}
{% endmacro %}
"""  # noqa: E501
MEASURED = """
{{ config(materialized='table') }}
select id, cast(price as decimal(10,2)) as `Price`, name, day, is_new, named_struct('x', id) as nested
from values (1, 1.5, 'a', date'2026-01-01', true), (2, 2.5, null, date'2026-01-03', false),
  (3, null, 'b', date'2026-01-02', true) as t(id, price, name, day, is_new)
"""  # noqa: E501
PROFILE = "{{ config(materialized='table') }} {{ dbt_profiler.profile_sql(ref('measured')) }}"


class TestDbtProfiler:
    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "dbt_profiler"}]}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        order = ["test", "dbt", "dbt_profiler"]
        return {"dispatch": [{"macro_namespace": "dbt_profiler", "search_order": order}]}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"measured.sql": MEASURED, "profile.sql": PROFILE}

    @pytest.fixture(scope="class", autouse=True)
    def run(self, project: TestProjInfo) -> None:
        install(project, "dbt_profiler", MACROS)
        dbt(project, "run")

    def test_a_model_has_a_row_for_each_column(self, project: TestProjInfo) -> None:
        found = "select column_name, data_type, row_count, cast(round(share, 2) as double),"
        found += " is_unique, least, cast(mean as double), cast(middle as double)"
        assert rows(project, found + " from {schema}.profile order by place") == [
            ("id", "int", 3, 1.0, True, "1", 2.0, 2.0),
            ("Price", "decimal", 3, 0.67, False, "1.50", 2.0, 2.0),
            ("name", "string", 3, 0.67, False, None, None, None),
            ("day", "date", 3, 1.0, True, "2026-01-01", None, None),
            ("is_new", "boolean", 3, 1.0, False, None, pytest.approx(2 / 3), None),
            ("nested", "struct", 3, 1.0, True, None, None, None),
        ]

    def test_an_operation_prints_it(self, project: TestProjInfo) -> None:
        (text,) = operation(project, "dbt_profiler.print_profile", relation_name="measured")
        printed = {each["column_name"]: each for each in yaml.safe_load(text)}
        assert [*printed] == ["id", "Price", "name", "day", "is_new", "nested"]
        price = printed["Price"]
        assert (price["data_type"], price["least"], price["mean"]) == ("decimal", "1.50", 2.0)
        assert price["deviation"] == pytest.approx(0.5)
        assert printed["day"]["is_unique"] is True
