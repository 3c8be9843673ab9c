{# dbt's own, with times in UTC, as dbt takes them, whatever the session's time zone is. #}

{% macro deltaspark__collect_freshness(source, loaded_at_field, filter) %}
  {%- set query -%}
    select max({{ loaded_at_field }}) as max_loaded_at from {{ source }}
    {% if filter %} where {{ filter }} {% endif %}
  {%- endset -%}
  {%- set sql = adapter.freshness_sql(source, query, current_timestamp(), loaded_at_field) -%}
  {%- call statement('collect_freshness', fetch_result=True, auto_begin=False) -%}{{ sql }}{%- endcall -%}
  {{ return(load_result('collect_freshness')) }}
{% endmacro %}

{% macro deltaspark__collect_freshness_custom_sql(source, loaded_at_query) %}
  {%- set query -%}
    with source_query as (
      {{ loaded_at_query }}
    )
    select (select * from source_query) as max_loaded_at
  {%- endset -%}
  {%- set sql = adapter.freshness_sql(source, query, current_timestamp()) -%}
  {%- call statement('collect_freshness_custom_sql', fetch_result=True, auto_begin=False) -%}{{ sql }}{%- endcall -%}
  {{ return(load_result('collect_freshness_custom_sql')) }}
{% endmacro %}
