{% materialization table, adapter='deltaspark', supported_languages=['sql', 'python'] %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type='table') -%}
  {%- set spec = deltaspark_write_spec() -%}
  {{ run_pre_hooks(spec) }}

  {%- do write(compiled_code) -%}
  {%- set response = adapter.run_table(spec, deltaspark_contracted(compiled_code, spec), target, existing) -%}
  {%- do store_result('main', response=response) -%}

  {{ run_post_hooks() }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
