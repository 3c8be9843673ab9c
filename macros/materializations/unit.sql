{# One statement: the columns come from the analyzed query, not from a temporary relation. #}
{% materialization unit, adapter='deltaspark' %}
  {%- set tested = adapter.tested_model(model) -%}
  {%- do adapter.run_header(tested.sql_header) -%}
  {%- set actual = deltaspark_merged_rows(tested) if tested.expects == 'merged_table' else sql -%}
  {%- set types, quoted = {}, {} -%}
  {%- for column in adapter.get_column_schema_from_query(actual) -%}
    {%- do types.update({column.name | lower: column.data_type}) -%}
    {%- do quoted.update({column.name | lower: column.quoted}) -%}
  {%- endfor -%}

  {%- set rows = config.get('expected_rows') -%}
  {%- set expected = config.get('expected_sql') or get_expected_sql(rows, types, quoted) -%}
  {%- set columns = deltaspark_expected_columns(rows, quoted) if rows else quoted.values() | list -%}
  {%- call statement('main', fetch_result=True) -%}
    {{ get_unit_test_sql(actual, expected, columns) }}
  {%- endcall -%}
  {{ return({'relations': []}) }}
{% endmaterialization %}

{# dbt-core unites the rows by position: another column in one of them would be compared with the wrong one. #}
{% macro deltaspark_expected_columns(rows, quoted) %}
  {%- set names = rows[0].keys() | map('lower') | list -%}
  {%- for row in rows if row.keys() | map('lower') | sort != names | sort -%}
    {%- do exceptions.raise_compiler_error(
        "The rows of expect must all name the same columns, with null where there is no value: the first has "
        ~ names | join(', ') ~ ", another has " ~ row.keys() | map('lower') | join(', ')) -%}
  {%- endfor -%}
  {%- set columns = [] -%}
  {%- for name in names -%}
    {%- do columns.append(quoted[name]) -%}
  {%- endfor -%}
  {{ return(columns) }}
{% endmacro %}

{# The table after a run on the rows of the input `this`, as a query. #}
{% macro deltaspark_merged_rows(tested) %}
  {%- set name = 'dbt_unit_' ~ local_md5(model.unique_id ~ invocation_id) -%}
  {%- set scratch = this.incorporate(path={'identifier': name}, type='table') -%}
  {%- do adapter.run_unit_test(deltaspark_tested_spec(tested, name), sql, deltaspark_given_this(tested), scratch) -%}
  {{ return('select * from ' ~ adapter.quote(name)) }}
{% endmacro %}

{# What the run of the tested model itself would tell the adapter. #}
{% macro deltaspark_tested_spec(tested, name) %}
  {%- set strategy = 'get_incremental_' ~ (tested.config.get('incremental_strategy') or 'merge') | replace('+', '_') ~ '_sql' -%}
  {%- set spec = deltaspark_merge_spec() -%}
  {%- for key in ('name', 'description', 'columns', 'constraints', 'config') -%}
    {%- do spec.update({key: tested.get(key)}) -%}
  {%- endfor -%}
  {%- do spec.update({
    'path': tested.original_file_path,
    'alias': name,
    'full_refresh': false,
    'custom_strategies': deltaspark_own_macros(strategy),
    'macros_not_run': []
  }) -%}
  {%- if adapter.is_own_strategy(spec) -%}
    {%- do exceptions.raise_compiler_error(
        "meta.expect: merged_table cannot run '" ~ tested.config.incremental_strategy ~ "', a strategy of the project's own") -%}
  {%- endif -%}
  {{ return(spec) }}
{% endmacro %}

{# The fixture of the input `this`, which dbt-core made a CTE of the compiled query; none without one. #}
{% macro deltaspark_given_this(tested) %}
  {%- for cte in model.extra_ctes if cte.id == model.this_input_node_unique_id -%}
    {{ return('with' ~ cte.sql ~ ' select * from ' ~ api.Relation.add_ephemeral_prefix(tested.alias)) }}
  {%- endfor -%}
  {{ return(none) }}
{% endmacro %}

{# Fixtures of this adapter's types; a value that does not fit is an error, not null. #}
{% macro format_row(row, column_name_to_data_types) %}
  {%- set owner = 'expected output' if model.resource_type == 'unit_test' else "'" ~ model.name ~ "'" -%}
  {{ return(adapter.fixture_row(row, column_name_to_data_types, owner)) }}
{% endmacro %}
