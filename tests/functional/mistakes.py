"""Models with one mistake each, as analytics engineers make them."""

from __future__ import annotations

from runs import incremental

AFTER = "-- depends_on: {{ ref('orders') }}\n"
TABLE = "{{ config(materialized='table') }} "
ONE, TWO = "select 1 as id, 5 as v", "select 1 as id, 7 as v, 'x' as w"
HIDING = "select 1 as id, 5 as _metadata"
ORDERS = "select 1 as order_id, cast(9.5 as decimal(10, 2)) as amount, date'2026-01-02' as day"

SQL = {
    "orders.sql": TABLE + ORDERS,
    "syntax.sql": TABLE + "select 1 as id form {{ ref('orders') }}",
    "long_syntax.sql": TABLE
    + "select\n"
    + "".join(f"  {number} as c{number},\n" for number in range(60))
    + "  60 as c60\nform {{ ref('orders') }}\nwhere order_id > 0\n"
    + "  and amount > 0\n" * 20,
    "missing_cte.sql": TABLE + "with paid as (select 1 as id) select * from payd",
    "missing_name.sql": TABLE + AFTER + "select * from customers_of_nobody",
    "information_in_a_view.sql": "select table_name from information_schema.tables",
    "missing_table.sql": TABLE + AFTER + "select * from {schema}.order",
    "missing_column.sql": TABLE + "select order_idd from {{ ref('orders') }}",
    "missing_function.sql": TABLE + "select lenght('a') as n",
    "missing_table_in_a_view.sql": AFTER + "select * from {schema}.orderz",
    "missing_schema.sql": TABLE + "select * from {schema}_.orders",
    "ambiguous.sql": TABLE
    + "select order_id from {{ ref('orders') }} a join {{ ref('orders') }} b using (day)",
    "bad_cast.sql": TABLE
    + "select id, cast(text as int) as n"
    + " from values (1, '7'), (2, 'seven'), (3, 'x') as t(id, text)",
    "bad_date.sql": TABLE
    + "select id, cast(text as date) as day from values (1, '2026-02-30') as t(id, text)",
    "division.sql": TABLE + "select v / (v - 5) as n from values (5) as t(v)",
    "same_name_twice.sql": TABLE + "select 1 as id, 2 as ID",
    "misspelt_check.sql": TABLE + ONE,
    "number_as_check.sql": incremental("on_schema_change='fail'", ONE, ONE),
    "group_by.sql": TABLE + "select day, amount from {{ ref('orders') }} group by day",
}
CONFIGS = {
    "upsert.sql": incremental("incremental_strategy='upsert', unique_key='id'", ONE, TWO),
    "misspelt_key.sql": incremental("incremental_strategy='merge', uniqe_key='id'", ONE, TWO),
    "key_of_no_column.sql": incremental("unique_key='idd'", ONE, ONE),
    "two_problems.sql": incremental(
        "unique_key='idd', merge_update_columns=['vv'], on_schema_change='fial'", ONE, ONE
    ),
    "clause_of_no_action.sql": incremental(
        "unique_key='id', merge_clauses=[{'when': 'matched', 'action': 'upsert'}]", ONE, ONE
    ),
    "odd_number.sql": incremental("unique_key='id', merge_only_changed='perhaps'", ONE, ONE),
    "two_layouts.sql": "{{ config(materialized='table', partition_by='id', deletion_vector=true,"
    " liquid_clustered_by='v', tblproperties={'delta.enableDeletionVector': 'true'}) }} " + ONE,
    "odd_property.sql": incremental(
        "tblproperties={'delta.appendOnly': 'sometimes', 'delta.zork': '1'}", ONE, ONE
    ),
    "materialized_view.sql": "{{ config(materialized='materialized_view') }} " + ONE,
    "streaming_table.sql": "{{ config(materialized='streaming_table') }} " + ONE,
    "metric_view.sql": "{{ config(materialized='metric_view') }} " + ONE,
    "copies_into.sql": "{{ databricks_copy_into(target_table='t', source='/d') }} " + ONE,
    "iceberg.sql": "{{ config(materialized='table', file_format='iceberg') }} " + ONE,
    "schema_change.sql": incremental("on_schema_change='append'", ONE, ONE),
    "odd_alias.sql": "{{ config(materialized='table', alias='a.b') }} " + ONE,
    "my-orders.sql": TABLE + ONE,
    "granted.sql": "{{ config(materialized='table', grants={'select': ['bob']}) }} " + ONE,
    "optimized.sql": "{{ config(materialized='table', optimize='daily') }} " + ONE,
    "clauses.sql": incremental(
        "unique_key='id', merge_clauses={'when_matched': 'update'}", ONE, ONE
    ),
    "predicate.sql": incremental("unique_key='id', incremental_predicates='t.id >'", ONE, ONE),
    "hidden_metadata.sql": incremental(
        "unique_key='id'", *(["select 1 as id, 5 as _metadata"] * 2)
    ),
    "replace_nothing.sql": incremental("incremental_strategy='replace_where'", ONE, ONE),
    "history_of_nothing.sql": incremental("incremental_strategy='scd2'", ONE, ONE),
}
OWN_STRATEGY = """
{% macro get_incremental_of_a_project_sql(arg_dict) %}
  {% do return('insert into ' ~ arg_dict['target_relation'] ~ ' (id, v) select id, v from '
               ~ arg_dict['temp_relation']) %}
{% endmacro %}
"""
GUARDED = "unique_key='id', on_schema_change='append_new_columns'"
DATA = {
    "duplicates.sql": incremental(
        "unique_key='id'", ONE, "select * from values (1, 6), (1, 7) as t(id, v)"
    ),
    "other_type.sql": incremental("unique_key='id'", ONE, "select 1 as id, 'seven' as v"),
    "other_type_of_own_strategy.sql": incremental(
        "unique_key='id', incremental_strategy='of_a_project'",
        ONE,
        "select * from values (1, '7'), (2, 'seven') as t(id, v)",
    ),
    "too_large.sql": incremental("unique_key='id'", ONE, "select 1 as id, 5000000000 as v"),
    "two_of_another_type.sql": incremental(
        "unique_key='id'",
        "select 1 as id, 5 as v, 6 as w",
        "select id, concat('no ', id) as v, repeat('x', 200) as w from range(9)",
    ),
    "outside.sql": incremental(
        "incremental_strategy='replace_where', incremental_predicates=[\"day = date'2026-01-02'\"]",
        "select 1 as id, date'2026-01-02' as day",
        "select id, date_add(date'2026-01-01', cast(id as int)) as day from range(3)",
    ),
    "new_column.sql": incremental("unique_key='id', on_schema_change='fail'", ONE, TWO),
    "negative.sql": incremental(GUARDED, ONE, "select 2 as id, -7 as v"),
    "negative_null.sql": incremental(GUARDED, ONE, "select 2 as id, cast(null as int) as v"),
    "no_key.sql": incremental(GUARDED, ONE, "select cast(null as int) as id, 8 as v"),
    "of_another_type.sql": TABLE + "select 'one' as id, 5 as v",
    "of_fewer_columns.sql": TABLE + "select 1 as id",
    "too_long_a_text.sql": TABLE + "select * from values (1, 'abc'), (2, 'abcd') as t(id, code)",
    "length_in_a_view.sql": "select 1 as id, 'abcd' as code",
    "promises_in_a_struct.sql": TABLE + "select 1 as id, named_struct('a', 'abcd', 'b', 1) as code",
    "untyped_column.sql": TABLE + "select 1 as id, null as v",
    "hooked_before.sql": AFTER
    + "{{ config(materialized='table', pre_hook='delete from {schema}.order where true') }} "
    + ONE,
    "hook_of_two.sql": AFTER
    + "{{ config(pre_hook='set its.own = 1; delete from {schema}.order where true') }} "
    + ONE,
    "two_statements.sql": f"{ONE}; {TWO}",
    "hooked.sql": "{{ config(materialized='table', post_hook='optimise {{ this }}') }} " + ONE,
}
PYTHON = {
    "raises.py": "def model(dbt, session):\n    total = 0\n    return 1 / total\n",
    "returns_nothing.py": "def model(dbt, session):\n    return None\n",
    "imports.py": "import sparkling\n\n\ndef model(dbt, session):\n    return sparkling.frame()\n",
}
CHECKED = "constraints: [{type: check, name: positive, expression: 'v > 0'}]"
MISSPELT = CHECKED.replace("v > 0", "vv > 0 or vv is null")
NUMBER = CHECKED.replace("v > 0", "v")
CONTRACT = "config: {contract: {enforced: true}}"
COLUMNS = "columns: [{name: id, data_type: int}, {name: v, data_type: int}]"
REQUIRED = COLUMNS.replace(
    "id, data_type: int", "id, data_type: int, constraints: [{type: not_null}]"
)
SHORT = COLUMNS.replace("v, data_type: int", "code, data_type: varchar(3)")
IN_A_STRUCT = SHORT.replace("varchar(3)", "'struct<a: varchar(3), b: int not null>'")
YML = f"""
models:
  - {{name: negative, {CONTRACT}, {CHECKED}, {COLUMNS}}}
  - {{name: negative_null, {CONTRACT}, {CHECKED}, {COLUMNS}}}
  - {{name: misspelt_check, {CONTRACT}, {MISSPELT}, {COLUMNS}}}
  - {{name: number_as_check, {CONTRACT}, {NUMBER}, {COLUMNS}}}
  - {{name: no_key, {CONTRACT}, {REQUIRED}}}
  - {{name: of_another_type, {CONTRACT}, {COLUMNS}}}
  - {{name: of_fewer_columns, {CONTRACT}, {COLUMNS}}}
  - {{name: too_long_a_text, {CONTRACT}, {SHORT}}}
  - {{name: length_in_a_view, {CONTRACT}, {SHORT}}}
  - {{name: promises_in_a_struct, {CONTRACT}, {IN_A_STRUCT}}}
  - {{name: untyped_column, {CONTRACT}, {COLUMNS}}}
"""
MODELS = {**SQL, **CONFIGS, **DATA, **PYTHON, "models.yml": YML}
