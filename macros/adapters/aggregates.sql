{# Spark's own keeps the order; some of the values are taken from their codes, which have no comma. #}
{% macro deltaspark__listagg(measure, delimiter_text, order_by_clause, limit_num) -%}
  {%- set order = ' within group (' ~ order_by_clause ~ ')' if order_by_clause else '' -%}
  {%- if measure.strip().lower().startswith('distinct ') -%}
    {{ deltaspark_listagg_of_distinct(measure.strip()[9:].strip(), delimiter_text, order_by_clause, limit_num) }}
  {%- elif limit_num -%}
    array_join(transform(
      slice(split(listagg(hex(cast({{ measure }} as string)), ','){{ order }}, ','), 1, {{ limit_num }}),
      code -> decode(unhex(code), 'UTF-8')
    ), {{ delimiter_text }})
  {%- else -%}
    listagg({{ measure }}, {{ delimiter_text }}){{ order }}
  {%- endif -%}
{%- endmacro %}

{# Spark's own cannot order distinct numbers, nor stand in a query beside another distinct aggregate. #}
{% macro deltaspark_listagg_of_distinct(measure, delimiter_text, order_by_clause, limit_num) -%}
  {%- set order = modules.re.fullmatch('(?is)\\s*order\\s+by\\s+(.+?)(?:\\s+(asc|desc))?\\s*', order_by_clause or '') -%}
  {%- if order_by_clause and (order is none or order.group(1) | lower != measure | lower) -%}
    {{ exceptions.raise_compiler_error(
      "listagg of distinct " ~ measure ~ " is ordered by " ~ measure ~ ", or not at all; got '" ~ order_by_clause ~ "'") }}
  {%- endif -%}
  {%- set values = 'nullif(collect_set(' ~ measure ~ '), array())' -%}
  {%- if order -%}
    {%- set values = 'sort_array(' ~ values ~ ', ' ~ ('false' if order.group(2) | lower == 'desc' else 'true') ~ ')' -%}
  {%- endif -%}
  {%- if limit_num -%}
    {%- set values = 'slice(' ~ values ~ ', 1, ' ~ limit_num ~ ')' -%}
  {%- endif -%}
  array_join(transform({{ values }}, value -> cast(value as string)), {{ delimiter_text }})
{%- endmacro %}
