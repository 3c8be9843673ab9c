{# Facts about the node for the adapter, which checks them and does the rest (settings/model.py). #}

{% macro deltaspark_write_spec() %}
  {{ return({
    'name': model.name,
    'path': model.get('original_file_path'),
    'database': model.get('database'),
    'catalog': adapter.kind_of_catalog(model.get('database')),
    'namesakes': adapter.namesakes(model.unique_id),
    'schema': model.schema,
    'alias': model.get('alias', model.name),
    'description': model.get('description'),
    'columns': model.get('columns'),
    'constraints': model.get('constraints'),
    'language': model.get('language', 'sql'),
    'node_id': model.unique_id,
    'invocation_id': invocation_id,
    'any_property': target.spark_config.get('spark.databricks.delta.allowArbitraryProperties.enabled'),
    'config': model.config,
    'limited_by': adapter.limited_by(model),
    'macros_not_run': adapter.macros_not_run(config.get('materialized', ''))
  }) }}
{% endmacro %}

{# `dbt retry` has a full refresh begin anew with the first batch that failed: those before it are there. #}
{% macro deltaspark_merge_spec() %}
  {%- set spec, own = deltaspark_write_spec(), deltaspark_own_macros(deltaspark_strategy_macro()) -%}
  {%- do spec.update({
    'full_refresh': should_full_refresh() and not adapter.is_later_batch(model.get('batch'), config.get('begin')),
    'batch': model.get('batch'),
    'project': project_name,
    'custom_strategies': own
  }) -%}
  {%- if own -%}
    {%- do spec.update({'macros_not_run': []}) -%}  {# the strategy's statements may run them #}
  {%- endif -%}
  {{ return(spec) }}
{% endmacro %}

{% macro deltaspark_strategy_macro() %}
  {{ return('get_incremental_' ~ (config.get('incremental_strategy') or 'merge') | replace('+', '_') ~ '_sql') }}
{% endmacro %}

{# The macro, if the project or a package has it: dbt and dbt-spark have some of these names themselves.
   Also if the project has what dbt-core's macro of this name calls, by any prefix that dbt looks for. #}
{% macro deltaspark_own_macros(name) %}
  {%- set others = ['dbt', 'dbt_spark', 'dbt_deltaspark'] -%}
  {%- if name in context and context[name].macro.package_name not in others -%}{{ return([name]) }}{%- endif -%}
  {%- set called = {
    'get_incremental_merge_sql': 'get_merge_sql',
    'get_incremental_delete_insert_sql': 'get_delete_insert_merge_sql',
    'get_incremental_insert_overwrite_sql': 'get_insert_overwrite_merge_sql'
  } -%}
  {%- for each in (name, called.get(name, name)) -%}
    {%- for prefix in ('', 'deltaspark__', 'spark__', 'default__') if deltaspark_is_of_project(prefix ~ each) -%}
      {{ return([name]) }}
    {%- endfor -%}
  {%- endfor -%}
  {{ return([]) }}
{% endmacro %}

{% macro deltaspark_is_of_project(name) %}
  {{ return(name in context and context[name].macro.package_name == project_name) }}
{% endmacro %}

{# Not those of a node whose settings are wrong: the run itself then tells of all that is wrong with them.
   Without a spec, as materializations of a project's own call it, nobody would tell, and they run. #}
{% macro run_pre_hooks(spec=none) %}
  {%- if pre_hooks and (spec is none or adapter.has_right_settings(spec)) -%}
    {{ run_hooks(pre_hooks, inside_transaction=False) }}
    {{ run_hooks(pre_hooks, inside_transaction=True) }}
  {%- endif -%}
{% endmacro %}

{% macro run_post_hooks() %}
  {{ run_hooks(post_hooks, inside_transaction=True) }}
  {{ run_hooks(post_hooks, inside_transaction=False) }}
{% endmacro %}

{# Types that nothing can hold are not compared: the run itself then tells of all that is wrong. #}
{% macro deltaspark_contracted(sql, spec) %}
  {%- if config.get('contract').enforced and model.get('language', 'sql') == 'sql' -%}
    {%- if adapter.has_right_settings(spec) -%}
      {%- do get_assert_columns_equivalent(sql) -%}
    {%- endif -%}
    {{ return(get_select_subquery(sql)) }}
  {%- endif -%}
  {{ return(sql) }}
{% endmacro %}
