{% materialization seed, adapter='deltaspark' %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type='table') -%}
  {%- if existing is not none and existing.is_view -%}
    {{ exceptions.raise_compiler_error("Cannot seed to '" ~ existing ~ "', it is a view") }}
  {%- endif -%}
  {%- set rows = load_agate_table() -%}
  {%- do store_result('agate_table', response='OK', agate_table=rows) -%}
  {{ run_pre_hooks(write_spec()) }}

  {%- do store_result('main', response=adapter.run_seed(write_spec(), rows, target)) -%}

  {{ run_hooks(post_hooks, inside_transaction=True) }}
  {{ run_hooks(post_hooks, inside_transaction=False) }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
