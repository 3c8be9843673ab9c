{% macro deltaspark__generate_database_name(custom_database_name=none, node=none) -%}
  {{ return(default__generate_database_name(custom_database_name, node)) }}
{%- endmacro %}

{% macro deltaspark__get_columns_in_relation(relation) %}
  {{ return(adapter.get_columns_in_relation(relation)) }}
{% endmacro %}

{# A contract asks for the columns of a model, whose sql_header is statements of their own to Spark. #}
{% macro get_column_schema_from_query(select_sql, select_sql_header=none) %}
  {{ return(adapter.columns_after(select_sql_header, get_empty_subquery_sql(select_sql))) }}
{% endmacro %}

{% macro deltaspark__list_schemas(database) %}
  {{ return(run_query('show schemas in ' ~ database)) }}
{% endmacro %}

{# A relation that is not the model's own has no settings (settings/helper_tables.py), and no contract. #}
{% macro deltaspark__create_table_as(temporary, relation, compiled_code, language='sql') -%}
  {%- if temporary -%}
    {{ create_temporary_view(relation, compiled_code) }}
  {%- else -%}
    {%- set spec = adapter.spec_of(relation, deltaspark_write_spec()) -%}
    {%- set sql = deltaspark_contracted(compiled_code, spec) if spec.config else compiled_code -%}
    {%- do deltaspark_run_header_of_test() %}
    create or replace table {{ relation }}
    {{ adapter.table_clauses(spec, sql) }}
    as {{ sql }}
  {%- endif -%}
{%- endmacro %}

{% macro deltaspark__create_view_as(relation, sql) -%}
  {%- set spec = adapter.spec_of(relation, deltaspark_write_spec()) -%}
  {%- if spec.config and config.get('contract').enforced and adapter.has_right_settings(spec) -%}
    {%- do get_assert_columns_equivalent(sql) -%}
  {%- endif -%}
  {%- do deltaspark_run_header_of_test() %}
  create or replace view {{ relation }} {{ adapter.view_clauses(spec, sql) }}
  as {{ adapter.without_semicolon(sql) }}
{%- endmacro %}

{# A table gives way to a view when one like it could be made, and does not read the table. #}
{% macro deltaspark__handle_existing_table(full_refresh, old_relation) %}
  {%- set name = old_relation.identifier ~ '__dbt_' ~ local_md5(model.unique_id ~ invocation_id)[:8] -%}
  {%- set beside = old_relation.incorporate(path={'identifier': name}, type='view') -%}
  {%- do run_query(get_create_view_as_sql(beside, sql)) -%}
  {%- do adapter.drop_relation(beside) -%}
  {%- do adapter.refuse_reader_of(old_relation, sql) -%}
  {{ default__handle_existing_table(full_refresh, old_relation) }}
{% endmacro %}

{% macro deltaspark__alter_relation_add_remove_columns(relation, add_columns, remove_columns) %}
  {%- set added = {} -%}
  {%- for column in add_columns or [] -%}
    {%- do added.update({column.name: column.data_type}) -%}
  {%- endfor -%}
  {%- do adapter.change_columns(relation, added, (remove_columns or []) | map(attribute='name') | list) -%}
{% endmacro %}

{% macro deltaspark__alter_column_type(relation, column_name, new_column_type) %}
  {%- do adapter.retype_column(relation, column_name, new_column_type) -%}
{% endmacro %}

{% macro deltaspark__truncate_relation(relation) -%}
  {%- call statement('truncate_relation') -%}
    delete from {{ relation }}
  {%- endcall -%}
{%- endmacro %}

{# A temporary view has no catalog and no schema. Each dbt thread has its own session, and so its own. #}
{% macro deltaspark__make_temp_relation(base_relation, suffix) %}
  {%- set temporary = base_relation.incorporate(path={'identifier': base_relation.identifier ~ suffix}) -%}
  {{ return(temporary.include(database=false, schema=false)) }}
{% endmacro %}

{% macro deltaspark__persist_docs(relation, model, for_relation, for_columns) %}
  {%- do adapter.persist_comments(deltaspark_write_spec(), relation) -%}
{% endmacro %}

{#- As dbt's own, but that a decimal without a size in the contract is a decimal of any size: Spark takes
    it for decimal(10, 0). -#}
{% macro deltaspark__get_assert_columns_equivalent(sql) %}
  {%- set declared, unsized = model['columns'], [] -%}
  {%- if not declared -%}{{ exceptions.raise_contract_error([], []) }}{%- endif -%}
  {%- for column in declared.values() if (column['data_type'] or '') | trim | lower in ('decimal', 'dec', 'numeric') -%}
    {%- do unsized.append(column['name'] | lower) -%}
  {%- endfor -%}
  {%- set of_sql = format_columns(get_column_schema_from_query(sql, config.get('sql_header'))) -%}
  {%- set of_yaml = format_columns(get_column_schema_from_query(get_empty_schema_sql(declared))) -%}
  {%- for found in of_sql if found['name'] | lower in unsized and found['data_type'].startswith('decimal(') -%}
    {%- for column in of_yaml if column['name'] | lower == found['name'] | lower -%}
      {%- do column.update(data_type=found['data_type'], formatted=found['formatted']) -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- for found in of_sql if found['data_type'] == 'void' -%}  {# the error's table says what to write #}
    {%- for column in of_yaml if column['name'] | lower == found['name'] | lower -%}
      {%- do found.update(data_type='void: cast(null as ' ~ column['data_type'] ~ ')') -%}
    {%- endfor -%}
  {%- endfor -%}
  {%- if of_sql | map(attribute='formatted') | sort != of_yaml | map(attribute='formatted') | sort -%}
    {%- do exceptions.raise_contract_error(of_yaml, of_sql) -%}
  {%- endif -%}
{% endmacro %}

{# Spark takes the catalog that stands before the new name for a schema's; the old name says which it is. #}
{% macro deltaspark__rename_relation(from_relation, to_relation) -%}
  {%- set same_catalog = (from_relation.database or '') | lower == (to_relation.database or '') | lower -%}
  {%- set target = to_relation.include(database=false) if same_catalog else to_relation -%}
  {{ return(spark__rename_relation(from_relation, target)) }}
{%- endmacro %}
