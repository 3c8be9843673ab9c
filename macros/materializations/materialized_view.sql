{# dbt-core has one for every adapter, whose error says what a macro lacks. #}
{% materialization materialized_view, adapter='deltaspark' %}
  {%- do exceptions.raise_compiler_error(
      "Model '" ~ model.name ~ "' (" ~ model.original_file_path ~ "): Spark has no materialized views;"
      ~ " materialized is table, incremental or view") -%}
{% endmaterialization %}
