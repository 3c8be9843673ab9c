"""Snapshots by name: each one's config and its query at each of three steps."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from runs import Run, dbt

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


def snapshot(name: str, config: str, *queries: str) -> str:
    """A snapshot whose query depends on the var `step`."""
    steps = "".join(
        f"{{% elif var('step') == {step} %}} {query} "
        for step, query in enumerate(queries, start=1)
    )
    return (
        f"{{% snapshot {name} %}}{{{{ config({config}) }}}}\n"
        f"{{% if false %}}{steps}{{% endif %}}\n{{% endsnapshot %}}"
    )


def values(columns: str, values: str) -> str:
    return f"select * from values {values} as t({columns})"


BY_TIME = "strategy='timestamp', updated_at='at', unique_key='id'"
BY_VALUE = "strategy='check', check_cols='all', unique_key='id'"
MAY_1, MAY_2 = "timestamp'2024-05-01'", "timestamp'2024-05-02'"
ONE, TWO = f"(1, 'one', {MAY_1})", f"(2, 'two', {MAY_1})"
BOTH, ONLY_ONE = values("id, v, at", f"{ONE}, {TWO}"), values("id, v, at", ONE)
CHANGED = values("id, v, at", f"{ONE}, (2, 'zwei', {MAY_2}), (3, 'drei', {MAY_2})")

SNAPSHOTS = {
    "by_time": (BY_TIME, BOTH, CHANGED, CHANGED),
    "by_every_column": (
        BY_VALUE,
        values("id, v, w", "(1, 'a', null), (2, null, 'b'), (3, 'c', 'c')"),
        values("id, v, w", "(1, 'a', 'a'), (2, null, null), (3, 'c', 'c')"),
        values("W, V, ID", "('a', 'a', 1), (null, null, 2), ('c', 'c', 3)"),
    ),
    "by_one_column": (
        "strategy='check', check_cols=['v'], unique_key='id'",
        values("id, v, w", "(1, 'a', 'x')"),
        values("id, v, w", "(1, 'a', 'y')"),
        values("id, v, w", "(1, 'b', 'z')"),
    ),
    "ignores_deletes": (BY_TIME, BOTH, ONLY_ONE, ONLY_ONE),
    "ends_deleted": (BY_TIME + ", hard_deletes='invalidate'", BOTH, ONLY_ONE, BOTH),
    "keeps_deleted": (BY_TIME + ", hard_deletes='new_record'", BOTH, ONLY_ONE, BOTH),
    "list_key": (
        "strategy='check', check_cols=['v'], unique_key=['a', 'b'], hard_deletes='new_record'",
        values("a, b, v", "(1, 1, 'x'), (1, null, 'x'), (null, null, 'x')"),
        values("a, b, v", "(1, 1, 'x'), (1, null, 'y'), (null, null, 'x')"),
        values("a, b, v", "(1, 1, 'x'), (1, null, 'y')"),
    ),
    "null_and_empty_keys": (
        BY_VALUE,
        values("id, v", "('', 'x'), (null, 'x')"),
        values("id, v", "('', 'y'), (null, 'x')"),
        values("id, v", "('', 'y'), (null, 'x')"),
    ),
    "own_names": (
        BY_TIME + ", hard_deletes='new_record', dbt_valid_to_current=\"date'9999-12-31'\","
        " snapshot_meta_column_names={'dbt_valid_from': 'seit', 'dbt_valid_to': 'Gültig bis',"
        " 'dbt_scd_id': 'version', 'dbt_updated_at': 'stand', 'dbt_is_deleted': 'weg'}",
        BOTH,
        ONLY_ONE,
        ONLY_ONE,
    ),
    "gains_a_column": (
        BY_TIME,
        BOTH,
        values("id, v, at, extra", f"(1, 'one', {MAY_1}, 7), (2, 'zwei', {MAY_2}, 8)"),
        values("id, v, at, more", f"(1, 'one', {MAY_1}, 7), (2, 'zwei', {MAY_2}, 8)"),
    ),
    "gains_a_checked_column": (
        BY_VALUE + ", hard_deletes='new_record'",
        values("id, v", "(1, 'a'), (2, 'b')"),
        values("id, w", "(1, 'a')"),
        values("id, w", "(1, 'a')"),
    ),
    "odd_names": (
        "strategy='check', check_cols=['a.b', '`select`'], unique_key='the `key`'",
        "select 1 as `the ``key```, 1 as `a.b`, 1 as `select`",
        "select 1 as `the ``key```, 2 as `a.b`, 1 as `select`",
        "select 1 as `the ``key```, 2 as `a.b`, 2 as `select`",
    ),
    "expression_key": (
        "strategy='timestamp', updated_at='at', unique_key=\"upper(v) || '-' || id\","
        " hard_deletes='invalidate'",
        BOTH,
        values("id, v, at", f"(1, 'ONE', {MAY_2})"),
        values("id, v, at", f"(1, 'ONE', {MAY_2})"),
    ),
    "text_times": (
        BY_TIME + ", hard_deletes='invalidate'",
        values("id, at", "(1, '2024-05-01T00:00'), (2, '2024-05-01T00:00')"),
        values("id, at", "(1, '2024-05-02T00:00'), (2, '2024-05-01T00:00')"),
        values("id, at", "(1, '2024-05-02T00:00'), (2, '2024-05-01T00:00')"),
    ),
    "wider_key": (
        BY_VALUE,
        "select 1 as id, 'a' as v",
        "select 1L as id, 'b' as v",
        "select 1L as id, 'b' as v",
    ),
    "repeats_a_key_later": (
        BY_VALUE,
        values("id, v", "(1, 'a'), (2, 'b'), (null, 'c')"),
        values("id, v", "(1, 'a'), (1, 'x'), (2, 'b'), (null, 'c'), (null, 'c')"),
        values("id, v", "(1, 'a'), (2, 'b'), (null, 'c')"),
    ),
    "repeats_a_key_at_once": (
        BY_VALUE.replace("'id'", "['id', 'v']"),
        values("id, v, w", "(1, 'a', 1), (1, 'a', 2), (1, 'a', 3), (2, 'b', 1)"),
        values("id, v, w", "(1, 'a', 1), (1, 'a', 2)"),
        values("id, v, w", "(1, 'a', 1), (1, 'a', 2)"),
    ),
    "is_misconfigured": (
        "strategy='check', check_cols=['w'], unique_key=['idd'], hard_deletes='invalid',"
        " partition_by='month', check_col='v',"
        " snapshot_meta_column_names={'dbt_valid_from': 'v'}",
        values("id, v, dbt_scd_id, m", "(1, 'a', 'a', map('a', 1))"),
        values("id, v, dbt_scd_id, m", "(1, 'a', 'a', map('a', 1))"),
        values("id, v, dbt_scd_id, m", "(1, 'a', 'a', map('a', 1))"),
    ),
    "is_no_snapshot": (BY_TIME, BOTH, BOTH, BOTH),
    "is_a_view": (BY_TIME, BOTH, BOTH, BOTH),
}
FAIL_AT_ONCE = ("repeats_a_key_at_once", "is_misconfigured", "is_no_snapshot", "is_a_view")
WELL = sorted(set(SNAPSHOTS) - set(FAIL_AT_ONCE))
DAY_1, DAY_2 = datetime(2024, 5, 1), datetime(2024, 5, 2)


def run(project: TestProjInfo, step: int) -> Run:
    return dbt(project, "snapshot", "--vars", f"step: {step}")
