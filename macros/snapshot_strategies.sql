{# dbt's two strategies by dbt's names, so that no statement asks for columns: the adapter analyzes the query. #}

{% macro snapshot_timestamp_strategy(node, snapshotted_rel, current_rel, model_config, target_exists) %}
  {{ return(deltaspark_snapshot_strategy(snapshotted_rel, current_rel, target_exists)) }}
{% endmacro %}

{% macro snapshot_check_strategy(node, snapshotted_rel, current_rel, model_config, target_exists) %}
  {{ return(deltaspark_snapshot_strategy(snapshotted_rel, current_rel, target_exists)) }}
{% endmacro %}

{% macro deltaspark_snapshot_strategy(snapshotted_rel, current_rel, target_exists) %}
  {%- set target = this if target_exists else none -%}
  {%- set strategy = adapter.snapshot_strategy(deltaspark_snapshot_facts(), target, snapshotted_rel, current_rel) -%}
  {%- set arguments = api.Relation.scd_args(strategy.unique_key, strategy.updated_at) -%}
  {%- do strategy.update({'scd_id': snapshot_hash_arguments(arguments)}) -%}
  {{ return(strategy) }}
{% endmacro %}

{% macro deltaspark_snapshot_facts() %}
  {%- set spec = deltaspark_write_spec() -%}
  {%- do spec.update({
    'sql': adapter.without_semicolon(model['compiled_code']),
    'meta_columns': config.get('snapshot_table_column_names') or get_snapshot_table_column_names(),
    'now': snapshot_get_time(),
    'later_scd_id': snapshot_hash_arguments(['dbt_snapshot_scd_id', snapshot_get_time()])
  }) -%}
  {{ return(spec) }}
{% endmacro %}
