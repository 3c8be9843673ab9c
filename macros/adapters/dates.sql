{# How many boundaries of the part lie between two moments; weeks begin on Sunday, as dbt has them. #}
{% macro deltaspark__datediff(first_date, second_date, datepart) -%}
  {%- set part, start, end = datepart | lower, first_date, second_date -%}
  {%- if part == 'day' -%}
    datediff(to_date({{ end }}), to_date({{ start }}))
  {%- elif part == 'week' -%}
    cast(datediff(next_day(to_date({{ end }}), 'SU'), next_day(to_date({{ start }}), 'SU')) / 7 as int)
  {%- elif part == 'month' -%}
    cast(months_between(trunc(to_date({{ end }}), 'MONTH'), trunc(to_date({{ start }}), 'MONTH')) as int)
  {%- elif part == 'quarter' -%}
    cast(months_between(trunc(to_date({{ end }}), 'QUARTER'), trunc(to_date({{ start }}), 'QUARTER')) / 3 as int)
  {%- elif part == 'year' -%}
    (year(to_date({{ end }})) - year(to_date({{ start }})))
  {%- elif part in ('hour', 'minute', 'second', 'millisecond', 'microsecond') -%}
    timestampdiff({{ part }}, date_trunc('{{ part }}', {{ start }}), date_trunc('{{ part }}', {{ end }}))
  {%- else -%}
    {{ exceptions.raise_compiler_error(
      "datediff knows no part '" ~ datepart ~ "': it is one of year, quarter, month, week, day, hour, minute, second,"
      ~ " millisecond, microsecond") }}
  {%- endif -%}
{%- endmacro %}
