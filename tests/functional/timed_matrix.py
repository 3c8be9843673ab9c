"""The strategies that know of time, in each situation: what a model holds after its second run."""

from __future__ import annotations

import datetime
from typing import Any

Settings = dict[str, Any]
Rows = list[tuple[Any, ...]]

D1, D2, D3 = (datetime.date(2026, 1, day) for day in (1, 2, 3))
SCD2: Settings = {
    "incremental_strategy": "scd2",
    "unique_key": "id",
    "scd2_updated_at": "at",
}
BATCH: Settings = {
    "incremental_strategy": "microbatch",
    "event_time": "at",
    "batch_size": "day",
    "begin": "2026-01-01",
}
FIRST = (
    "select * from values (1, 'a', date'2026-01-01'), (2, 'b', date'2026-01-01') as t(id, v, at)"
)
NULL_FIRST = "select * from values (cast(null as int), 'n', date'2026-01-01') as t(id, v, at)"
ODD_FIRST = "select 1 as `the id`, 'a' as `select a-b`, date'2026-01-01' as `is at`"
KEYS_FIRST = (
    "select * from values (1, 1, 'a', date'2026-01-01'), "
    "(1, 2, 'b', date'2026-01-01') as t(id, k, v, at)"
)
A1 = (1, "a", D1, D1, None, True)
B2 = (2, "b", D1, D1, None, True)

VERSIONS: dict[str, tuple[Settings, str, str, Rows]] = {
    "second_run": (
        {},
        FIRST,
        "select * from values (2, 'B', date'2026-01-02'), "
        "(3, 'c', date'2026-01-02') as t(id, v, at)",
        [
            A1,
            (2, "B", D2, D2, None, True),
            (2, "b", D1, D1, D2, False),
            (3, "c", D2, D2, None, True),
        ],
    ),
    "empty_source": ({"scd2_invalidate_missing": True}, FIRST, FIRST + " where false", [A1, B2]),
    "null_keys": (
        {},
        NULL_FIRST,
        "select cast(null as int) as id, 'N' as v, date'2026-01-02' as at",
        [(None, "N", D2, D2, None, True), (None, "n", D1, D1, D2, False)],
    ),
    "duplicate_keys": (
        {},
        FIRST,
        "select * from values (2, 'B', date'2026-01-02'), "
        "(2, 'C', date'2026-01-03') as t(id, v, at)",
        [
            A1,
            (2, "B", D2, D2, D3, False),
            (2, "C", D3, D3, None, True),
            (2, "b", D1, D1, D2, False),
        ],
    ),
    # The same key at the same time with two values fails, and the table stays as it was.
    "duplicate_times": (
        {},
        FIRST,
        "select * from values (2, 'B', date'2026-01-02'), "
        "(2, 'C', date'2026-01-02') as t(id, v, at)",
        [A1, B2],
    ),
    "composite_key": (
        {"unique_key": ["id", "k"]},
        KEYS_FIRST,
        "select 1 as id, 2 as k, 'B' as v, date'2026-01-02' as at",
        [
            (1, 1, "a", D1, D1, None, True),
            (1, 2, "B", D2, D2, None, True),
            (1, 2, "b", D1, D1, D2, False),
        ],
    ),
    "column_order_changed": (
        {},
        FIRST,
        "select date'2026-01-02' as at, 'B' as v, 2 as id",
        [A1, (2, "B", D2, D2, None, True), (2, "b", D1, D1, D2, False)],
    ),
    "column_added": (
        {"on_schema_change": "append_new_columns"},
        FIRST,
        "select 2 as id, 'B' as v, date'2026-01-02' as at, 9 as w",
        [(*A1, None), (2, "B", D2, D2, None, True, 9), (2, "b", D1, D1, D2, False, None)],
    ),
    "column_missing": (
        {},
        FIRST,
        "select 2 as id, date'2026-01-02' as at",
        [A1, (2, None, D2, D2, None, True), (2, "b", D1, D1, D2, False)],
    ),
    "partitioned": (
        {"partition_by": "is_current"},
        FIRST,
        "select 2 as id, 'B' as v, date'2026-01-02' as at",
        [A1, (2, "B", D2, D2, None, True), (2, "b", D1, D1, D2, False)],
    ),
    "odd_column_names": (
        {
            "unique_key": "the id",
            "scd2_updated_at": "is at",
            "scd2_valid_from": "valid from",
            "scd2_check_columns": "select a-b",
        },
        ODD_FIRST,
        "select 1 as `the id`, 'A' as `select a-b`, date'2026-01-02' as `is at`",
        [(1, "A", D2, D2, None, True), (1, "a", D1, D1, D2, False)],
    ),
    "full_refresh": (
        {},
        FIRST,
        "select 2 as id, 'B' as v, date'2026-01-02' as at",
        [(2, "B", D2, D2, None, True)],
    ),
}
"""Settings, the SELECT of the first run and of the second, and the history after that."""

BATCHES: dict[str, tuple[Settings, str, str, Rows]] = {
    "second_run": (
        {},
        FIRST,
        "select * from values (2, 'B', date'2026-01-01'), "
        "(3, 'c', date'2026-01-01') as t(id, v, at)",
        [(2, "B", D1), (3, "c", D1)],
    ),
    "empty_source": ({}, FIRST, FIRST + " where false", []),
    "null_keys": (
        {},
        NULL_FIRST,
        "select cast(null as int) as id, 'N' as v, date'2026-01-01' as at",
        [(None, "N", D1)],
    ),
    "duplicate_keys": (
        {},
        FIRST,
        "select * from values (2, 'B', date'2026-01-01'), "
        "(2, 'C', date'2026-01-01') as t(id, v, at)",
        [(2, "B", D1), (2, "C", D1)],
    ),
    "column_order_changed": (
        {},
        FIRST,
        "select date'2026-01-01' as at, 'B' as v, 2 as id",
        [(2, "B", D1)],
    ),
    "column_added": (
        {"on_schema_change": "append_new_columns"},
        FIRST,
        "select 2 as id, 'B' as v, date'2026-01-01' as at, 9 as w",
        [(2, "B", D1, 9)],
    ),
    "column_missing": (
        {},
        FIRST,
        "select 2 as id, date'2026-01-01' as at",
        [(2, None, D1)],
    ),
    "partitioned": (
        {"partition_by": "at"},
        FIRST,
        "select 2 as id, 'B' as v, date'2026-01-01' as at",
        [(2, "B", D1)],
    ),
    "odd_column_names": (
        {"event_time": "is at"},
        ODD_FIRST,
        "select 2 as `the id`, 'B' as `select a-b`, date'2026-01-01' as `is at`",
        [(2, "B", D1)],
    ),
    "full_refresh": (
        {},
        FIRST,
        "select 2 as id, 'B' as v, date'2026-01-01' as at",
        [(2, "B", D1)],
    ),
}
"""The same for a single batch, the first of January."""

CASES = [
    (f"{situation}__{kind}", {**base, **given}, first, second, expected)
    for kind, base, table in (("scd2", SCD2, VERSIONS), ("microbatch", BATCH, BATCHES))
    for situation, (given, first, second, expected) in table.items()
]
