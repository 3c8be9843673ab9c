{# Where dbt-core puts a query into another one: it may end with a semicolon. #}

{% macro deltaspark__get_select_subquery(sql) %}
  {{ return(default__get_select_subquery(adapter.without_semicolon(sql))) }}
{% endmacro %}

{% macro deltaspark__get_empty_subquery_sql(select_sql, select_sql_header=none) %}
  {{ return(default__get_empty_subquery_sql(adapter.without_semicolon(select_sql), select_sql_header)) }}
{% endmacro %}

{% macro deltaspark__get_limit_sql(sql, limit) %}
  {{ return(default__get_limit_sql(adapter.without_semicolon(sql), limit)) }}
{% endmacro %}

{% macro deltaspark__get_test_sql(main_sql, fail_calc, warn_if, error_if, limit) %}
  {%- if not should_store_failures() -%}{%- do deltaspark_run_header_of_test() -%}{%- endif -%}
  {{ return(default__get_test_sql(adapter.without_semicolon(main_sql), fail_calc, warn_if, error_if, limit)) }}
{% endmacro %}

{% macro deltaspark__get_unit_test_sql(main_sql, expected_fixture_sql, expected_column_names) %}
  {%- set actual, expected = adapter.without_semicolon(main_sql), adapter.without_semicolon(expected_fixture_sql) -%}
  {{ return(default__get_unit_test_sql(actual, expected, expected_column_names)) }}
{% endmacro %}

{# dbt-core's materialization of data tests leaves their sql_header out. It is not replaced here, since packages replace it,
   and one of an adapter would win. The session is the test's own, and ends with it. #}
{% macro deltaspark_run_header_of_test() %}
  {%- if model.resource_type == 'test' -%}{%- do adapter.run_header(config.get('sql_header')) -%}{%- endif -%}
{% endmacro %}
