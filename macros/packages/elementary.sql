{# elementary's own takes Spark's trim, whose first argument is what is cut off, for the other way round.
   It is found under `dispatch` in dbt_project.yml, as the next: docs/packages.md. #}
{% macro deltaspark__full_name_split(part_name) %}
  {%- set places = {'database_name': 0, 'schema_name': 1, 'table_name': 2} -%}
  {%- if part_name in places -%}
    trim(both '"' from split(full_table_name, '[.]')[{{ places[part_name] }}]) as {{ part_name }}
  {%- endif -%}
{% endmacro %}

{# elementary's search for the tables that its tests leave, which it has not for Spark. #}

{# They are called test…__tmp_ and the time, in UTC and to the microsecond, at which they were made. #}
{% macro deltaspark__get_stale_test_tables(elementary_database, elementary_schema, hours, table_name_pattern, limit) %}
  {%- set oldest = modules.datetime.datetime.utcnow() - modules.datetime.timedelta(hours=hours | int) -%}
  {%- set stale = [] -%}
  {%- for table in adapter.relations_like(elementary_database, elementary_schema) -%}
    {%- set is_there = table.is_table and table.schema | lower == elementary_schema | lower -%}
    {%- set start, _, made_at = table.identifier.rpartition('__tmp_') -%}
    {%- set is_of_a_test = start.startswith('test') and made_at | length == 20 and made_at.isdigit() -%}
    {%- if is_there and is_of_a_test and made_at < oldest.strftime('%Y%m%d%H%M%S%f') -%}
      {%- do stale.append(table) -%}
    {%- endif -%}
  {%- endfor -%}
  {{ return(stale[:limit | int]) }}
{% endmacro %}
