{# dbt-core sends `commit;` before the hooks outside of a transaction. Spark has no transactions of several
   statements, and no such statement; the hooks keep dbt's order. #}
{% macro run_hooks(hooks, inside_transaction=True) %}
  {%- for hook in hooks | selectattr('transaction', 'equalto', inside_transaction) -%}
    {%- set statement_of_hook = render(hook.get('sql')) | trim -%}
    {%- if statement_of_hook -%}
      {%- do adapter.run_hook(statement_of_hook, is_post=load_result('main') is not none) -%}
    {%- endif -%}
  {%- endfor -%}
{% endmacro %}
