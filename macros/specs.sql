{# Facts about the node for the adapter, which checks them and does the rest (settings/model.py). #}

{% macro write_spec() %}
  {{ return({
    'name': model.name,
    'path': model.get('original_file_path'),
    'schema': model.schema,
    'alias': model.get('alias', model.name),
    'description': model.get('description'),
    'columns': model.get('columns'),
    'constraints': model.get('constraints'),
    'language': model.get('language', 'sql'),
    'node_id': model.unique_id,
    'invocation_id': invocation_id,
    'config': model.config
  }) }}
{% endmacro %}

{% macro merge_spec() %}
  {%- set spec = write_spec() -%}
  {%- do spec.update({
    'full_refresh': should_full_refresh(),
    'batch': model.get('batch'),
    'project': project_name,
    'custom_strategies': own_macros(strategy_macro())
  }) -%}
  {{ return(spec) }}
{% endmacro %}

{% macro strategy_macro() %}
  {{ return('get_incremental_' ~ (config.get('incremental_strategy') or 'merge') | replace('+', '_') ~ '_sql') }}
{% endmacro %}

{# The macro, if the project or a package has it: dbt and dbt-spark have some of these names themselves. #}
{% macro own_macros(name) %}
  {%- set others = ['dbt', 'dbt_spark', 'dbt_deltaspark'] -%}
  {{ return([name] if name in context and context[name].macro.package_name not in others else []) }}
{% endmacro %}

{# Not those of a node whose settings are wrong: the run itself then tells of all that is wrong with them. #}
{% macro run_pre_hooks(spec) %}
  {%- if pre_hooks and adapter.has_right_settings(spec) -%}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}
    {{ run_hooks(pre_hooks, inside_transaction=True) }}
  {%- endif -%}
{% endmacro %}

{% macro contracted(sql) %}
  {%- if config.get('contract').enforced and model.get('language', 'sql') == 'sql' -%}
    {%- do get_assert_columns_equivalent(sql) -%}
    {{ return(get_select_subquery(sql)) }}
  {%- endif -%}
  {{ return(sql) }}
{% endmacro %}
