{# dbt_expectations where its SQL for Spark leaves out arguments. It is found under `dispatch` in
   dbt_project.yml: docs/packages.md. #}

{# The flags are Java's, and stand in the expression; in a raw text a backslash is a backslash. #}
{% macro deltaspark__regexp_instr(source_value, regexp, position, occurrence, is_raw, flags) -%}
  regexp_instr({{ source_value }}, {{ 'r' if is_raw }}'{{ '(?' ~ flags ~ ')' if flags }}{{ regexp }}')
{%- endmacro %}
