{# audit_helper where its SQL asks for what Spark has not. It is found under `dispatch` in dbt_project.yml:
   docs/packages.md. #}

{# Spark counts no distinct values over a window. #}
{% macro deltaspark___count_num_rows_in_status() -%}
  size(collect_set(struct(dbt_audit_surrogate_key, dbt_audit_pk_row_num)) over (partition by dbt_audit_row_status))
{%- endmacro %}

{# The rows are counted, and their hashes added up: neither order nor rows that come twice deceive it. #}
{% macro deltaspark__quick_are_queries_identical(query_a, query_b, columns, event_time) -%}
  {%- set bounds = audit_helper._get_comparison_bounds(query_a, query_b, event_time) if event_time else none -%}
  select count(distinct found) = 1 as are_tables_identical
  from (
    {%- for query in (query_a, query_b) %}
    select struct(count(*), sum(cast(xxhash64({{ columns | join(', ') }}) as decimal(38, 0)))) as found
    from ({{ query }})
    {{ audit_helper.event_time_filter(bounds) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
  )
{%- endmacro %}
