{# What other platforms have and Spark has not. dbt-core's own materialized view would say what a macro lacks. #}

{% materialization materialized_view, adapter='deltaspark' %}
  {%- do deltaspark_no_such_materialization('materialized views', 'table, incremental or view') -%}
{% endmaterialization %}

{% materialization streaming_table, adapter='deltaspark' %}
  {%- do deltaspark_no_such_materialization('streaming tables', 'incremental, for rows that are added as they come, or table') -%}
{% endmaterialization %}

{% materialization metric_view, adapter='deltaspark' %}
  {%- do deltaspark_no_such_materialization('metric views', 'view, and the metrics are columns of its SELECT') -%}
{% endmaterialization %}

{% macro deltaspark_no_such_materialization(what, instead) %}
  {%- do exceptions.raise_compiler_error(
      "Model '" ~ model.name ~ "' (" ~ model.original_file_path ~ "): Spark has no " ~ what ~ "; materialized is "
      ~ instead) -%}
{% endmacro %}
