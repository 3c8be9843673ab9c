{# Functions of SQL, kept in the catalog: CREATE OR REPLACE FUNCTION … RETURN …. #}

{# As dbt-core's, which leaves out the hooks outside of a transaction. Under another name than `adapter.dispatch`,
   since dbt-core's reading of macros takes only a literal name there. #}
{% materialization function, adapter='deltaspark', supported_languages=['sql', 'python', 'javascript'] %}
  {%- set existing = load_cached_relation(this) -%}
  {%- set target = this.incorporate(type=this.Function) -%}
  {%- set spec = deltaspark_write_spec() -%}
  {{ run_pre_hooks(spec) }}
  {%- do adapter.check_settings(spec) -%}

  {%- set dispatch = adapter.dispatch -%}
  {%- set macro_name = this.get_function_macro_name(this.get_function_config(model)) -%}
  {%- do function_execute_build_sql(dispatch(macro_name, 'dbt')(target), existing, target) -%}

  {{ run_post_hooks() }}
  {{ return({'relations': [target]}) }}
{% endmaterialization %}

{% macro deltaspark__scalar_function_sql(target_relation) %}
  {{ return(deltaspark_create_sql_function(target_relation)) }}
{% endmacro %}

{% macro deltaspark__table_function_sql(target_relation) %}
  {{ return(deltaspark_create_sql_function(target_relation)) }}
{% endmacro %}

{% macro deltaspark_create_sql_function(target_relation) -%}
CREATE OR REPLACE FUNCTION {{ target_relation.render() }} ({{ formatted_scalar_function_args_sql() }})
RETURNS {{ model.returns.data_type }}
LANGUAGE SQL
{% set volatility = scalar_function_volatility_sql() | trim -%}
{% if volatility %}{{ volatility }}
{% endif -%}
{% if model.description %}COMMENT {{ deltaspark_text_literal(model.description) }}
{% endif -%}
RETURN {{ scalar_function_body_sql() }}
{%- endmacro %}

{% macro deltaspark__formatted_scalar_function_args_sql() -%}
  {%- for argument in model.arguments -%}
    {{ adapter.quote(argument.name) }} {{ argument.data_type }}
    {%- if argument.get('default_value') is not none %} DEFAULT {{ argument.default_value }}{% endif -%}
    {%- if argument.get('description') %} COMMENT {{ deltaspark_text_literal(argument.description) }}{% endif -%}
    {%- if not loop.last %}, {% endif -%}
  {%- endfor -%}
{%- endmacro %}

{# An expression or a query; a comment at its end must not swallow what follows. #}
{% macro deltaspark__scalar_function_body_sql() -%}
  {{ model.compiled_code.rstrip('; \n\t') }}
{%- endmacro %}

{% macro deltaspark__scalar_function_volatility_sql() -%}
  {%- set volatility = model.config.get('volatility') -%}
  {%- if volatility == 'deterministic' -%}
    DETERMINISTIC
  {%- elif volatility == 'non-deterministic' -%}
    NOT DETERMINISTIC
  {%- elif volatility is not none -%}
    {%- do unsupported_volatility_warning(volatility) -%}
  {%- endif -%}
{%- endmacro %}

{% macro deltaspark__scalar_function_python(target_relation) %}
  {%- do deltaspark_no_such_function('Spark keeps no Python functions in its catalog: write it in SQL, or define it with'
      ~ ' pyspark.sql.functions.udf in the Python model that needs it') -%}
{% endmacro %}

{% macro deltaspark__aggregate_function_python(target_relation) %}
  {%- do deltaspark_no_such_function('Spark keeps no Python functions in its catalog: aggregate with built-in functions in'
      ~ ' SQL, or with pyspark.sql.functions in a Python model') -%}
{% endmacro %}

{% macro deltaspark__aggregate_function_sql(target_relation) %}
  {%- do deltaspark_no_such_function('Spark has no aggregate functions of SQL: aggregate with built-in functions and give'
      ~ ' the result to a scalar function, or write a macro') -%}
{% endmacro %}

{% macro deltaspark__scalar_function_javascript(target_relation) %}
  {%- do deltaspark_no_such_function('Spark has no functions of JavaScript: write it in SQL') -%}
{% endmacro %}

{% macro deltaspark_no_such_function(reason) %}
  {%- do exceptions.raise_compiler_error("Function '" ~ model.name ~ "' (" ~ model.original_file_path ~ ") cannot be made. " ~ reason) -%}
{% endmacro %}

{# Spark's catalog has no grants, and a function's comment is part of its statement. #}
{% macro deltaspark__function_execute_build_sql(build_sql, existing_relation, target_relation) %}
  {%- call statement('create_function') -%}
    {{ build_sql }}
  {%- endcall -%}
  {%- do store_result('main', response=adapter.function_response(target_relation)) -%}
{% endmacro %}
