{# dbt-core sends `commit;` before the hooks outside of a transaction. Spark has no transactions of several
   statements, and no such statement; the hooks keep dbt's order. #}
{% macro run_hooks(hooks, inside_transaction=True) %}
  {%- for hook in hooks | selectattr('transaction', 'equalto', inside_transaction) -%}
    {%- set statement_of_hook = render(hook.get('sql')) | trim -%}
    {%- if statement_of_hook -%}
      {%- call statement(auto_begin=inside_transaction) -%}
        {{ statement_of_hook }}
      {%- endcall -%}
    {%- endif -%}
  {%- endfor -%}
{% endmacro %}
