{% macro deltaspark__can_clone_table() %}
  {{ return(True) }}
{% endmacro %}

{% macro deltaspark__create_or_replace_clone(this_relation, defer_relation) %}
  create or replace table {{ this_relation.render() }} shallow clone {{ defer_relation.render() }}
{% endmacro %}

{# A table becomes a shallow clone, anything else a view over it; what is there stays, as dbt has it. #}
{% materialization clone, adapter='deltaspark' %}
  {%- if not defer_relation -%}
    {%- do log('No relation found in state manifest for ' ~ model.unique_id, info=True) -%}
    {{ return({'relations': []}) }}
  {%- endif -%}
  {%- set existing = load_cached_relation(this) -%}
  {%- if existing and not flags.FULL_REFRESH -%}
    {%- do log('Relation ' ~ existing ~ ' already exists', info=True) -%}
    {{ return({'relations': []}) }}
  {%- endif -%}
  {%- set source = load_cached_relation(defer_relation) -%}
  {%- if source is none -%}
    {%- do exceptions.raise_compiler_error(
        "Cannot clone " ~ defer_relation ~ ": it is in the state's manifest, but not in the catalog."
        ~ " Build it there, or take the state of a target whose tables this catalog has") -%}
  {%- endif -%}
  {%- if this.render() | lower == defer_relation.render() | lower -%}
    {%- do log('Target relation and defer relation are the same, skipping clone for relation: ' ~ this, info=True) -%}
    {{ return({'relations': []}) }}
  {%- endif -%}
  {{ return(deltaspark_clone_of_table(existing, source) if source.is_table and can_clone_table() else deltaspark_clone_of_view()) }}
{% endmaterialization %}

{% macro deltaspark_clone_of_table(existing, source) %}
  {%- set target = this.incorporate(type='table') -%}
  {%- do adapter.check_name(target) -%}
  {%- set replaced = existing if existing is not none and existing.is_table else none -%}
  {%- if existing is not none and replaced is none -%}
    {%- do adapter.drop_relation(existing) -%}
  {%- endif -%}
  {%- do store_result('main', response=adapter.run_clone(create_or_replace_clone(target, source), replaced)) -%}
  {%- do persist_docs(target, model) -%}
  {{ return({'relations': [target]}) }}
{% endmacro %}

{# dbt-core hands `select * from <source>` to the view's materialization. #}
{% macro deltaspark_clone_of_view() %}
  {{ return(context['materialization_view_deltaspark']()) }}
{% endmacro %}
