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
    {{ deltaspark_no_such_part('datediff', datepart) }}
  {%- endif -%}
{%- endmacro %}

{# A timestamp_ntz stays one, all else becomes a timestamp; a part of an hour counts to the microsecond. #}
{% macro deltaspark__dateadd(datepart, interval, from_date_or_timestamp) -%}
  {%- set units = {
    'year': ('month', 12), 'quarter': ('month', 3), 'month': ('month', 1), 'week': ('day', 7), 'day': ('day', 1),
    'hour': ('microsecond', 3600000000), 'minute': ('microsecond', 60000000), 'second': ('microsecond', 1000000),
    'millisecond': ('microsecond', 1000), 'microsecond': ('microsecond', 1)
  } -%}
  {%- if datepart | lower not in units -%}
    {{ deltaspark_no_such_part('dateadd', datepart) }}
  {%- endif -%}
  {%- set unit, times = units[datepart | lower] -%}
  timestampadd({{ unit }}, cast(({{ interval }}) * {{ times }}L as bigint), {{ from_date_or_timestamp }})
{%- endmacro %}

{# Spark's function answers null where it does not know the part. #}
{% macro deltaspark__date_trunc(datepart, date) -%}
  {%- if datepart | lower not in ('yyyy', 'yy', 'mon', 'mm', 'dd') -%}
    {{ deltaspark_no_such_part('date_trunc', datepart) if datepart | lower not in deltaspark_date_parts() }}
  {%- endif -%}
  date_trunc('{{ datepart }}', {{ date }})
{%- endmacro %}

{% macro deltaspark_date_parts() %}
  {{ return(['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', 'second', 'millisecond', 'microsecond']) }}
{% endmacro %}

{% macro deltaspark_no_such_part(name, datepart) %}
  {%- do exceptions.raise_compiler_error(
      name ~ " knows no part '" ~ datepart ~ "': it is one of " ~ deltaspark_date_parts() | join(', ')) -%}
{% endmacro %}
