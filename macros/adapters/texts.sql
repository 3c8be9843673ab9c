{# What stands between single quotes: a backslash is a sign of its own there, and ${ a variable. #}
{% macro deltaspark__escape_single_quotes(expression) -%}
  {{ expression | replace('\\', '\\\\') | replace("'", "\\'") | replace('${', '$\\{') }}
{%- endmacro %}

{% macro deltaspark_text_literal(text) -%}
  '{{ deltaspark__escape_single_quotes(text) }}'
{%- endmacro %}
