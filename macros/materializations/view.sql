{# As dbt-core's `create_or_replace_view`, which leaves out the hooks outside of a transaction. #}
{% materialization view, adapter='deltaspark' %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type='view') -%}
  {{ run_pre_hooks(deltaspark_write_spec()) }}

  {%- if existing is not none and existing.is_table -%}
    {%- do handle_existing_table(should_full_refresh(), existing) -%}
  {%- endif -%}
  {%- call statement('main') -%}
    {{ get_create_view_as_sql(target, sql) }}
  {%- endcall -%}

  {{ run_post_hooks() }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}
