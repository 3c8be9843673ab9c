{# Facts about the node for the adapter, which checks them and does the rest (model_config.py). #}

{% macro write_spec() %}
  {{ return({
    'name': model.name,
    'path': model.get('original_file_path'),
    'schema': model.schema,
    'alias': model.get('alias', model.name),
    'description': model.get('description'),
    'columns': model.get('columns'),
    'constraints': model.get('constraints'),
    'config': model.config
  }) }}
{% endmacro %}

{% macro merge_spec() %}
  {%- set spec = write_spec() -%}
  {%- set macro = 'get_incremental_' ~ (config.get('incremental_strategy') or 'merge') | replace('+', '_') ~ '_sql' -%}
  {%- do spec.update({
    'full_refresh': should_full_refresh(),
    'project': project_name,
    'custom_strategies': [macro] if macro in context else []
  }) -%}
  {{ return(spec) }}
{% endmacro %}

{% macro snapshot_spec(columns) %}
  {{ return({'columns': columns, 'valid_to_current': config.get('dbt_valid_to_current')}) }}
{% endmacro %}

{% macro contracted(sql) %}
  {%- if config.get('contract').enforced -%}
    {%- do get_assert_columns_equivalent(sql) -%}
    {{ return(get_select_subquery(sql)) }}
  {%- endif -%}
  {{ return(sql) }}
{% endmacro %}
