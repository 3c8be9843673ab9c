{% materialization incremental, adapter='deltaspark', supported_languages=['sql', 'python'] %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type='table') -%}
  {%- set spec = deltaspark_merge_spec() -%}
  {{ run_pre_hooks(spec) }}

  {%- do write(compiled_code) -%}
  {%- set adds = existing is not none and not existing.is_view and not spec.full_refresh -%}
  {%- set is_own = adds and adapter.is_own_strategy(spec) -%}
  {%- set run = deltaspark_run_own_strategy if is_own else adapter.run_incremental -%}
  {%- do store_result('main', response=run(spec, deltaspark_contracted(compiled_code, spec), target, existing)) -%}

  {{ run_post_hooks() }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}

{# A strategy of the project's own: its macro gets what dbt-core's incremental would give it. #}
{% macro deltaspark_run_own_strategy(spec, sql, target, existing) %}
  {%- set temporary = make_temp_relation(target) -%}
  {%- set confs = adapter.make_rows_view(spec, sql, temporary) -%}
  {%- set mode = incremental_validate_on_schema_change(config.get('on_schema_change'), default='ignore') -%}
  {%- do adapter.check_sync(spec, temporary, existing) -%}
  {%- set columns = process_schema_changes(mode, temporary, existing) or adapter.get_columns_in_relation(existing) -%}
  {%- set statements = context[deltaspark_strategy_macro()]({
    'target_relation': target,
    'temp_relation': temporary,
    'unique_key': config.get('unique_key'),
    'dest_columns': columns,
    'incremental_predicates': config.get('predicates') or config.get('incremental_predicates')
  }) -%}
  {{ return(adapter.run_custom(spec, statements, target, confs, temporary)) }}
{% endmacro %}
