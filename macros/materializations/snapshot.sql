{% materialization snapshot, adapter='deltaspark' %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type='table') -%}
  {%- if existing is not none and not existing.is_table -%}
    {{ exceptions.raise_compiler_error("Cannot snapshot to '" ~ existing ~ "', it is a " ~ existing.type
        ~ ": drop it, or give the snapshot another alias") }}
  {%- endif -%}
  {{ run_pre_hooks(deltaspark_snapshot_facts()) }}

  {%- set strategy = strategy_dispatch(config.get('strategy'))(
      model, 'snapshotted_data', 'source_data', model['config'], existing is not none) -%}
  {%- set sql = adapter.snapshot_sql(deltaspark_snapshot_facts(), strategy, existing) -%}
  {%- do write(sql) -%}
  {%- do store_result('main', response=adapter.run_snapshot(deltaspark_snapshot_facts(), strategy, sql, target, existing)) -%}

  {{ run_post_hooks() }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
