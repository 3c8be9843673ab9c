{# dbt_utils where its SQL asks for what Spark has not. It is found under `dispatch` in dbt_project.yml:
   docs/packages.md. #}

{# Spark has no information_schema: the relations are listed, and asked for as rows. #}
{% macro deltaspark__get_tables_by_pattern_sql(schema_pattern, table_pattern, exclude='', database=target.database) %}
  {%- set rows = [] -%}
  {%- for relation in adapter.relations_like(database, schema_pattern) -%}
    {%- do rows.append('(' ~ deltaspark_text_literal(relation.schema) ~ ', ' ~ deltaspark_text_literal(relation.identifier) ~ ', ' ~ deltaspark_text_literal(relation.type) ~ ')') -%}
  {%- endfor -%}
  select table_schema, table_name, table_type
  from values {{ rows | join(', ') or '(null, null, null)' }} as t(table_schema, table_name, table_type)
  where table_name ilike '{{ table_pattern }}' and table_name not ilike '{{ exclude }}'
{% endmacro %}

{# dbt_utils joins the rows to themselves by all columns, and rows with a null are lost. #}
{% macro deltaspark__deduplicate(relation, partition_by, order_by) -%}
  select * except (dbt_row_number)
  from (
    select *, row_number() over (partition by {{ partition_by }} order by {{ order_by }}) as dbt_row_number
    from {{ relation }}
  )
  where dbt_row_number = 1
{%- endmacro %}
