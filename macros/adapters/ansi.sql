{# A cast that fails is an error in ANSI mode, which is Spark's default. #}
{% macro deltaspark__safe_cast(field, type) -%}
  try_cast({{ field }} as {{ type }})
{%- endmacro %}
