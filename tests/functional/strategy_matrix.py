"""Each strategy in each situation: what a model holds after its second run, literally."""

from __future__ import annotations

from typing import Any

from runs import incremental

Settings = dict[str, Any]
STRATEGIES: dict[str, Settings] = {
    "append": {"incremental_strategy": "append"},
    "merge": {"incremental_strategy": "merge", "unique_key": "id"},
    "insert_only": {"incremental_strategy": "insert_only", "unique_key": "id"},
    "delete_insert": {"incremental_strategy": "delete+insert", "unique_key": "id"},
    "insert_overwrite": {"incremental_strategy": "insert_overwrite", "replace_on": "id"},
    "replace_where": {
        "incremental_strategy": "replace_where",
        "replace_where": "id >= 2 or id is null",
    },
}
"""The strategies as they are configured where a situation says nothing else."""
FIRST = "select * from values (1, 'a'), (2, 'b') as t(id, v)"
SECOND = "select * from values (2, 'B'), (3, 'c') as t(id, v)"
NOT_TIMED = ("append", "merge", "insert_only", "delete_insert", "insert_overwrite", "replace_where")

Rows = list[tuple[Any, ...]]
A1, B2 = (1, "a"), (2, "b")
UPSERTED: Rows = [(1, "a"), (2, "B"), (3, "c")]

SITUATIONS: dict[str, tuple[Settings, str, str, dict[str, Rows]]] = {
    "second_run": (
        {},
        FIRST,
        SECOND,
        {
            "append": [A1, (2, "B"), B2, (3, "c")],
            "merge": UPSERTED,
            "insert_only": [A1, B2, (3, "c")],
            "delete_insert": UPSERTED,
            "insert_overwrite": UPSERTED,
            "replace_where": UPSERTED,
        },
    ),
    "empty_source": (
        {},
        FIRST,
        SECOND + " where false",
        {**dict.fromkeys(NOT_TIMED, [A1, B2]), "replace_where": [A1]},
    ),
    "null_keys": (
        {},
        "select * from values (null, 'n'), (2, 'b') as t(id, v)",
        "select * from values (null, 'N'), (3, 'c') as t(id, v)",
        {
            "append": [(None, "N"), (None, "n"), B2, (3, "c")],
            "merge": [(None, "N"), B2, (3, "c")],
            "insert_only": [(None, "n"), B2, (3, "c")],
            "delete_insert": [(None, "N"), B2, (3, "c")],
            "insert_overwrite": [(None, "N"), B2, (3, "c")],
            "replace_where": [(None, "N"), (3, "c")],
        },
    ),
    # A merge that would match a row twice fails, and the table stays as it was.
    "duplicate_keys": (
        {},
        FIRST,
        "select * from values (2, 'B'), (2, 'C'), (4, 'x'), (4, 'y') as t(id, v)",
        {
            "append": [A1, (2, "B"), (2, "C"), B2, (4, "x"), (4, "y")],
            "merge": [A1, B2],
            "insert_only": [A1, B2, (4, "x"), (4, "y")],
            "delete_insert": [A1, (2, "B"), (2, "C"), (4, "x"), (4, "y")],
            "insert_overwrite": [A1, (2, "B"), (2, "C"), (4, "x"), (4, "y")],
            "replace_where": [A1, (2, "B"), (2, "C"), (4, "x"), (4, "y")],
        },
    ),
    "composite_key": (
        {"unique_key": ["id", "k"], "replace_on": ["id", "k"], "replace_where": "id = 1 and k = 2"},
        "select * from values (1, 1, 'a'), (1, 2, 'b') as t(id, k, v)",
        "select * from values (1, 2, 'B') as t(id, k, v)",
        {
            "append": [(1, 1, "a"), (1, 2, "B"), (1, 2, "b")],
            "merge": [(1, 1, "a"), (1, 2, "B")],
            "insert_only": [(1, 1, "a"), (1, 2, "b")],
            "delete_insert": [(1, 1, "a"), (1, 2, "B")],
            "insert_overwrite": [(1, 1, "a"), (1, 2, "B")],
            "replace_where": [(1, 1, "a"), (1, 2, "B")],
        },
    ),
    "column_order_changed": (
        {},
        FIRST,
        "select 'B' as v, 2 as id",
        {
            "append": [A1, (2, "B"), B2],
            "merge": [A1, (2, "B")],
            "insert_only": [A1, B2],
            "delete_insert": [A1, (2, "B")],
            "insert_overwrite": [A1, (2, "B")],
            "replace_where": [A1, (2, "B")],
        },
    ),
    "column_added": (
        {"on_schema_change": "append_new_columns"},
        FIRST,
        "select * from values (2, 'B', 9), (3, 'c', 9) as t(id, v, w)",
        {
            "append": [(1, "a", None), (2, "B", 9), (2, "b", None), (3, "c", 9)],
            "merge": [(1, "a", None), (2, "B", 9), (3, "c", 9)],
            "insert_only": [(1, "a", None), (2, "b", None), (3, "c", 9)],
            "delete_insert": [(1, "a", None), (2, "B", 9), (3, "c", 9)],
            "insert_overwrite": [(1, "a", None), (2, "B", 9), (3, "c", 9)],
            "replace_where": [(1, "a", None), (2, "B", 9), (3, "c", 9)],
        },
    ),
    "column_added_and_ignored": (
        {},
        FIRST,
        "select * from values (2, 'B', 9), (3, 'c', 9) as t(id, v, w)",
        {
            "append": [A1, (2, "B"), B2, (3, "c")],
            "merge": UPSERTED,
            "insert_only": [A1, B2, (3, "c")],
            "delete_insert": UPSERTED,
            "insert_overwrite": UPSERTED,
            "replace_where": UPSERTED,
        },
    ),
    "column_missing": (
        {},
        FIRST,
        "select * from values (2), (3) as t(id)",
        {
            "append": [A1, (2, None), B2, (3, None)],
            "merge": [A1, B2, (3, None)],
            "insert_only": [A1, B2, (3, None)],
            "delete_insert": [A1, (2, None), (3, None)],
            "insert_overwrite": [A1, (2, None), (3, None)],
            "replace_where": [A1, (2, None), (3, None)],
        },
    ),
    "column_dropped": (
        {"on_schema_change": "sync_all_columns"},
        "select * from values (1, 'a', 7), (2, 'b', 7) as t(id, v, gone)",
        "select * from values (2, 'B'), (3, 'c') as t(id, v)",
        {
            "append": [A1, (2, "B"), B2, (3, "c")],
            "merge": UPSERTED,
            "insert_only": [A1, B2, (3, "c")],
            "delete_insert": UPSERTED,
            "insert_overwrite": UPSERTED,
            "replace_where": UPSERTED,
        },
    ),
    "partitioned": (
        {"partition_by": "day", "replace_on": None, "replace_where": "day = 2"},
        "select * from values (1, 'a', 1), (2, 'b', 2), (5, 'e', 2) as t(id, v, day)",
        "select * from values (2, 'B', 2), (3, 'c', 2) as t(id, v, day)",
        {
            "append": [(1, "a", 1), (2, "B", 2), (2, "b", 2), (3, "c", 2), (5, "e", 2)],
            "merge": [(1, "a", 1), (2, "B", 2), (3, "c", 2), (5, "e", 2)],
            "insert_only": [(1, "a", 1), (2, "b", 2), (3, "c", 2), (5, "e", 2)],
            "delete_insert": [(1, "a", 1), (2, "B", 2), (3, "c", 2), (5, "e", 2)],
            "insert_overwrite": [(1, "a", 1), (2, "B", 2), (3, "c", 2)],
            "replace_where": [(1, "a", 1), (2, "B", 2), (3, "c", 2)],
        },
    ),
    "odd_column_names": (
        {"unique_key": "the id", "replace_on": "the id", "replace_where": "`the id` = 2"},
        "select * from values (1, 'a'), (2, 'b') as t(`the id`, `select a-b`)",
        "select * from values (2, 'B') as t(`the id`, `select a-b`)",
        {
            "append": [A1, (2, "B"), B2],
            "merge": [A1, (2, "B")],
            "insert_only": [A1, B2],
            "delete_insert": [A1, (2, "B")],
            "insert_overwrite": [A1, (2, "B")],
            "replace_where": [A1, (2, "B")],
        },
    ),
    # Row 2 is outside of the predicate: a merge does not see it, and adds the source's own; a
    # delete+insert leaves it, and leaves the source's out for the same reason.
    "predicate_with_or": (
        {
            "incremental_predicates": ["DBT_INTERNAL_DEST.v < 10 or DBT_INTERNAL_DEST.v > 20"],
            "replace_where": None,
        },
        "select * from values (1, 1), (2, 15), (3, 30) as t(id, v)",
        "select * from values (1, 0), (3, 31) as t(id, v)",
        {
            "merge": [(1, 0), (2, 15), (3, 31)],
            "insert_only": [(1, 1), (2, 15), (3, 30)],
            "delete_insert": [(1, 0), (2, 15), (3, 31)],
            "replace_where": [(1, 0), (2, 15), (3, 31)],
        },
    ),
    "full_refresh": (
        {},
        FIRST,
        SECOND,
        dict.fromkeys(NOT_TIMED, [(2, "B"), (3, "c")]),
    ),
}
"""Settings, the SELECT of the first run and of the second, and the rows after that."""


def model(settings: Settings, first: str, second: str, *, refreshes: bool) -> str:
    """The model's file: another SELECT on a later run, or on a full refresh."""
    config = ", ".join(
        f"{key}={'none' if value is None else repr(value)}" for key, value in settings.items()
    )
    later = "flags.FULL_REFRESH" if refreshes else "is_incremental()"
    return incremental(config, first, second, later=later)


CASES = [
    (f"{situation}__{strategy}", {**STRATEGIES[strategy], **given}, first, second, expected)
    for situation, (given, first, second, by_strategy) in SITUATIONS.items()
    for strategy, expected in by_strategy.items()
]
