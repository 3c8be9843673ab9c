{# For incremental strategies of a project's own, which build on dbt-core's helpers: Delta's SQL of them.
   dbt-spark has some of the names with other arguments, so they are given back dbt-core's. #}

{# With two arguments it is dbt-spark's and dbt-databricks': the source, then the target. #}
{% macro get_insert_into_sql(target_relation, temp_relation, dest_columns=none) %}
  {%- if dest_columns is none -%}
    {%- set source, target = target_relation, temp_relation -%}
    {{ return(get_insert_into_sql(target, source, adapter.get_columns_in_relation(target))) }}
  {%- endif -%}
  {%- set columns = deltaspark_quoted_names(dest_columns) -%}
  insert into {{ target_relation }} ({{ columns }})
  select {{ columns }} from {{ temp_relation }}
{% endmacro %}

{# Null keys are equal, and every predicate stands in its own parentheses. #}
{% macro deltaspark__get_merge_sql(target, source, unique_key, dest_columns, incremental_predicates=none) -%}
  {%- set updated = default__get_merge_update_columns(config.get('merge_update_columns'), config.get('merge_exclude_columns'), dest_columns) -%}
  merge into {{ target }} as DBT_INTERNAL_DEST
  using {{ source }} as DBT_INTERNAL_SOURCE
  on {{ deltaspark_match_of_keys(unique_key, incremental_predicates) }}
  {%- if unique_key and updated %}
  when matched then update set
    {%- for name in updated %}
    {{ deltaspark_quoted_name(name) }} = DBT_INTERNAL_SOURCE.{{ deltaspark_quoted_name(name) }}{{ ',' if not loop.last }}
    {%- endfor %}
  {%- endif %}
  when not matched then insert {{ deltaspark_new_row(dest_columns) }}
{%- endmacro %}

{# One statement, and so one commit: each row comes to be added, and the first of a key to delete by, too. Delta's
   own MERGE may lose rows where two delete one and the table has a change feed. A predicate may be of the new row. #}
{% macro deltaspark__get_delete_insert_merge_sql(target, source, unique_key, dest_columns, incremental_predicates) -%}
  {%- if not unique_key -%}
    {{ return(get_insert_into_sql(target, source, dest_columns)) }}
  {%- endif -%}
  {%- set keys, predicates = deltaspark_as_list(unique_key), deltaspark_as_list(incremental_predicates) -%}
  {%- set first = 'true' if 'DBT_INTERNAL_SOURCE' in predicates | join(' ') | upper else 'dbt_place = 1' -%}
  merge into {{ target }} as DBT_INTERNAL_DEST
  using (
    select numbered.*, explode(if({{ first }}, array(true, false), array(false))) as dbt_deletes
    from (
      select *, row_number() over (partition by {{ deltaspark_names_in_backticks(keys) }} order by {{ deltaspark_quoted_name(keys[0]) }}) as dbt_place
      from {{ source }}
    ) as numbered
  ) as DBT_INTERNAL_SOURCE
  on DBT_INTERNAL_SOURCE.dbt_deletes and {{ deltaspark_match_of_keys(unique_key, incremental_predicates) }}
  when matched then delete
  when not matched and not DBT_INTERNAL_SOURCE.dbt_deletes then insert {{ deltaspark_new_row(dest_columns) }}
{%- endmacro %}

{# What the predicates choose, or the whole table, in one commit. #}
{% macro deltaspark__get_insert_overwrite_merge_sql(target, source, dest_columns, predicates, include_sql_header=false) -%}
  merge into {{ target }} as DBT_INTERNAL_DEST
  using {{ source }} as DBT_INTERNAL_SOURCE
  on false
  when not matched then insert {{ deltaspark_new_row(dest_columns) }}
  when not matched by source {% if predicates %}and ({{ predicates | join('\n) and (') }}
  ) {% endif %}then delete
{%- endmacro %}

{# The batch's window of time, in one commit; a row of another time is an error. #}
{% macro deltaspark__get_incremental_microbatch_sql(arg_dict) -%}
  {%- set target, source = arg_dict['target_relation'], arg_dict['temp_relation'] -%}
  insert into {{ target }} replace where {{ adapter.batch_window(deltaspark_merge_spec(), source) }}
  select {{ deltaspark_quoted_names(adapter.get_columns_in_relation(target)) }} from {{ source }}
{%- endmacro %}

{% macro deltaspark_match_of_keys(unique_key, predicates) %}
  {%- set keys = deltaspark_as_list(unique_key) -%}
  {%- set conditions = [] if keys else ['false'] -%}
  {%- for key in keys -%}
    {%- do conditions.append('DBT_INTERNAL_SOURCE.' ~ deltaspark_quoted_name(key) ~ ' <=> DBT_INTERNAL_DEST.' ~ deltaspark_quoted_name(key)) -%}
  {%- endfor -%}
  {%- for predicate in deltaspark_as_list(predicates) -%}
    {%- do conditions.append('(' ~ predicate ~ '\n)') -%}
  {%- endfor -%}
  {{ return(conditions | join(' and ')) }}
{% endmacro %}

{% macro deltaspark_new_row(columns) -%}
  ({{ deltaspark_quoted_names(columns) }})
  values (DBT_INTERNAL_SOURCE.{{ columns | map(attribute='quoted') | join(', DBT_INTERNAL_SOURCE.') }})
{%- endmacro %}

{% macro deltaspark_as_list(given) %}
  {{ return([given] if given is string else (given or [])) }}
{% endmacro %}

{% macro deltaspark_names_in_backticks(names) %}
  {%- set quoted = [] -%}
  {%- for name in names -%}
    {%- do quoted.append(deltaspark_quoted_name(name)) -%}
  {%- endfor -%}
  {{ return(quoted | join(', ')) }}
{% endmacro %}

{% macro deltaspark_quoted_name(name) %}
  {{ return(name if name.startswith('`') else adapter.quote(name)) }}
{% endmacro %}

{% macro deltaspark_quoted_names(columns) %}
  {{ return(columns | map(attribute='quoted') | join(', ')) }}
{% endmacro %}
