{# Spark's own function takes the delimiter as text; dbt-spark makes a regular expression of it. #}
{% macro deltaspark__split_part(string_text, delimiter_text, part_number) -%}
  split_part({{ string_text }}, {{ delimiter_text }}, {{ part_number }})
{%- endmacro %}
