{# Macros of dbt-databricks that projects' own macros and hooks call. #}

{% macro optimize(relation) %}
  {%- set is_clustered = config.get('liquid_clustered_by') or config.get('auto_liquid_cluster') | string | lower == 'true' -%}
  {%- set zorder = [] if is_clustered else adapter.listed(config.get('zorder')) -%}
  {%- set skips = config.get('skip_optimize') | string | lower == 'true' -%}
  {%- if (config.get('file_format') or 'delta') | lower == 'delta' and not skips -%}
    {%- set order = ' zorder by (' ~ deltaspark_names_in_backticks(zorder) ~ ')' if zorder else '' -%}
    {%- do run_query('optimize ' ~ relation ~ order) -%}
  {%- endif -%}
{% endmacro %}

{% macro liquid_clustered_cols() -%}
  {%- set columns = adapter.listed(config.get('liquid_clustered_by')) -%}
  {%- if columns %}
    cluster by ({{ deltaspark_names_in_backticks(columns) }})
  {%- endif %}
{%- endmacro %}

{% macro databricks_copy_into() %}
  {%- set asked = varargs and kwargs -%}
  {%- if execute -%}
    {%- do exceptions.raise_compiler_error(
        "databricks_copy_into: Spark has no COPY INTO. Read the files in a model or a hook, as in insert into <table>"
        ~ " select * from json.`<folder>` (or csv, parquet, orc, text); with a unique_key an incremental"
        ~ " model writes a row that comes again once") -%}
  {%- endif -%}
{% endmacro %}
