{% materialization table, adapter='deltaspark', supported_languages=['sql', 'python'] %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type='table') -%}
  {{ run_pre_hooks(write_spec()) }}

  {%- do write(compiled_code) -%}
  {%- set response = adapter.run_table(write_spec(), contracted(compiled_code), target, existing) -%}
  {%- do store_result('main', response=response) -%}

  {{ run_hooks(post_hooks, inside_transaction=True) }}
  {{ run_hooks(post_hooks, inside_transaction=False) }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
