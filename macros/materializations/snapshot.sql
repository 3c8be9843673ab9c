{% materialization snapshot, adapter='deltaspark' %}
  {%- set exists, target = get_or_create_relation(
      database=model.database, schema=model.schema, identifier=model.alias, type='table') -%}
  {%- if not target.is_table -%}
    {%- do exceptions.relation_wrong_type(target, 'table') -%}
  {%- endif -%}
  {{ run_hooks(pre_hooks, inside_transaction=False) }}
  {{ run_hooks(pre_hooks, inside_transaction=True) }}

  {%- set strategy = strategy_dispatch(config.get('strategy'))(
      model, 'snapshotted_data', 'source_data', model['config'], exists) -%}
  {%- set run = update_snapshot if exists else create_snapshot -%}
  {%- do store_result('main', response=run(strategy, target)) -%}
  {%- do persist_docs(target, model) -%}

  {{ run_hooks(post_hooks, inside_transaction=True) }}
  {{ run_hooks(post_hooks, inside_transaction=False) }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}

{% macro create_snapshot(strategy, target) %}
  {%- set sql = build_snapshot_table(strategy, model['compiled_code']) -%}
  {%- do write(sql) -%}
  {{ return(adapter.run_table(write_spec(), sql, target, none)) }}
{% endmacro %}

{% macro update_snapshot(strategy, target) %}
  {%- set columns = config.get('snapshot_table_column_names') or get_snapshot_table_column_names() -%}
  {%- do adapter.assert_valid_snapshot_target_given_strategy(target, columns, strategy) -%}
  {%- set sql = snapshot_staging_table(strategy, model['compiled_code'], target) -%}
  {%- do write(sql) -%}
  {{ return(adapter.run_snapshot(snapshot_spec(columns), sql, target)) }}
{% endmacro %}
