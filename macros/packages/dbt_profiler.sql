{# dbt_profiler's names of types are another database's. It is found under `dispatch` in dbt_project.yml:
   docs/packages.md. #}

{% macro deltaspark__type_string() %}
  {{ return('string') }}
{% endmacro %}

{% macro deltaspark__is_numeric_dtype(dtype) %}
  {%- set name = dtype.partition('(')[0] | lower -%}
  {{ return(name in ('tinyint', 'smallint', 'int', 'bigint', 'float', 'double', 'decimal')) }}
{% endmacro %}
