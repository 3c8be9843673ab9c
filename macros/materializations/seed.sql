{% materialization seed, adapter='deltaspark' %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type='table') -%}
  {%- if existing is not none and existing.is_view -%}
    {{ exceptions.raise_compiler_error("Cannot seed to '" ~ existing ~ "', it is a view") }}
  {%- endif -%}
  {%- set file = adapter.seed_file(model, config.get('delimiter')) -%}
  {%- set rows = load_agate_table() -%}
  {%- do store_result('agate_table', response='OK', agate_table=rows) -%}
  {%- set spec = deltaspark_write_spec() -%}
  {{ run_pre_hooks(spec) }}

  {%- do store_result('main', response=adapter.run_seed(spec, rows, file, target)) -%}

  {{ run_post_hooks() }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
