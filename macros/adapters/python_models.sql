{# In a batch a Python model reads the rows of its window, as an SQL model does: a query in parentheses in the place of a
   name. Else dbt-core hands over a ref's name, under --empty and --sample too, and so it is here. #}
{% macro build_ref_function(model) %}
  {%- set tables = {} -%}
  {%- for each in model.refs -%}
    {%- set names = [each['package'], each['name']] if each.get('package') else [each['name']] -%}
    {%- set key = names + (['v' ~ each['version']] if each.get('version') else []) -%}
    {%- set table = ref(*names, v=each.get('version')) -%}
    {%- set is_whole = model.get('batch') is none and table.render is defined -%}
    {%- do tables.update({key | join('.'): resolve_model_name(table.render() if is_whole else table)}) -%}
  {%- endfor %}

def ref(*names, v=None, version=None, dbt_load_df_function):
    suffix = [f"v{v or version}"] if v or version else []
    return dbt_load_df_function({{ tables | tojson }}['.'.join([*names, *suffix])])
{% endmacro %}
