{# Spark's own keeps the order; some of the values are taken from their codes, which have no comma. #}
{% macro deltaspark__listagg(measure, delimiter_text, order_by_clause, limit_num) -%}
  {%- set order = ' within group (' ~ order_by_clause ~ ')' if order_by_clause else '' -%}
  {%- if limit_num -%}
    array_join(transform(
      slice(split(listagg(hex({{ measure }}), ','){{ order }}, ','), 1, {{ limit_num }}),
      code -> decode(unhex(code), 'UTF-8')
    ), {{ delimiter_text }})
  {%- else -%}
    listagg({{ measure }}, {{ delimiter_text }}){{ order }}
  {%- endif -%}
{%- endmacro %}
