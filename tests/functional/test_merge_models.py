"""The settings of merges and of tables, one model each: what they leave after a second run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pytest import approx
from runs import Run, dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

Rows = list[tuple[Any, ...]]
FIRST = "select * from values (1, 10), (2, 20) as t(id, v)"
SECOND = "select * from values (2, 25), (3, 30) as t(id, v)"
S, T = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"

MERGES: dict[str, tuple[str, str, str, Rows]] = {
    "set_expression": (
        f"unique_key='id', merge_update_set_expressions={{'v': '{T}.v + {S}.v'}}",
        FIRST,
        SECOND,
        [(1, 10), (2, 45), (3, 30)],
    ),
    "conditions": (
        f"unique_key='id', matched_condition='{S}.v > 100', not_matched_condition='{S}.v = 30'",
        FIRST,
        "select * from values (2, 25), (3, 30), (4, 40) as t(id, v)",
        [(1, 10), (2, 20), (3, 30)],
    ),
    "skips_matched": (
        "unique_key='id', skip_matched_step=true",
        FIRST,
        SECOND,
        [(1, 10), (2, 20), (3, 30)],
    ),
    "skips_not_matched": (
        "unique_key='id', skip_not_matched_step=true",
        FIRST,
        SECOND,
        [(1, 10), (2, 25)],
    ),
    "deletes_by_source": (
        "unique_key='id', not_matched_by_source_action='delete'",
        FIRST,
        SECOND,
        [(2, 25), (3, 30)],
    ),
    "updates_by_source": (
        "unique_key='id', not_matched_by_source_action='update set v = -1',"
        f" not_matched_by_source_condition='{T}.id = 1'",
        FIRST,
        SECOND,
        [(1, -1), (2, 25), (3, 30)],
    ),
    "by_source_of_nothing": (
        "unique_key='id', not_matched_by_source_action='delete'",
        FIRST,
        SECOND + " where false",
        [],
    ),
    "own_condition": (f"merge_on='{S}.id = {T}.id + 1'", FIRST, SECOND, [(2, 25), (3, 30)]),
    "evolves": (
        "unique_key='id', merge_with_schema_evolution=true",
        FIRST,
        "select 2 as id, 25 as v, 'new' as w",
        [(1, 10, None), (2, 25, "new")],
    ),
    "clauses": (
        "merge_clauses=["
        f"{{'when': 'matched', 'condition': '{S}.v is null', 'action': 'delete'}},"
        f"{{'when': 'matched', 'condition': '{S}.v < 0', 'action': 'do_nothing'}},"
        "{'when': 'matched', 'action': 'update', 'columns': ['v']},"
        "{'when': 'not_matched', 'action': 'insert', 'set': {'id': '" + S + ".id', 'v': '0'}},"
        "], unique_key='id'",
        "select * from values (1, 10), (2, 20), (3, 30) as t(id, v)",
        "select * from values (1, null), (2, -1), (3, 33), (4, 40) as t(id, v)",
        [(2, 20), (3, 33), (4, 0)],
    ),
    "clause_of_error": (
        "unique_key='id', merge_clauses=[{'when': 'matched', 'action': 'error'},"
        "{'when': 'not_matched', 'action': 'insert'}]",
        FIRST,
        SECOND,
        [(1, 10), (2, 20)],
    ),
    "keeps_first": (
        "unique_key='id', on_duplicate_keys='keep_first', duplicate_keys_order_by='v'",
        "select * from values (1, 11), (1, 10), (2, 20) as t(id, v)",
        "select * from values (2, 26), (2, 25), (3, 30) as t(id, v)",
        [(1, 10), (2, 25), (3, 30)],
    ),
    "keeps_last": (
        "unique_key='id', on_duplicate_keys='keep_last', duplicate_keys_order_by=['v']",
        "select * from values (1, 10), (1, 9), (2, 20) as t(id, v)",
        "select * from values (2, 26), (2, 25), (3, 30) as t(id, v)",
        [(1, 10), (2, 26), (3, 30)],
    ),
    "unchanged": ("unique_key='id', merge_only_changed=true", FIRST, FIRST, [(1, 10), (2, 20)]),
    "some_changed": (
        "unique_key='id', merge_only_changed=['v']",
        "select * from values (1, 10, 'x'), (2, 20, 'x'), (3, null, 'x') as t(id, v, w)",
        "select * from values (1, 10, 'y'), (2, null, 'y'), (3, null, 'y') as t(id, v, w)",
        [(1, 10, "x"), (2, None, "y"), (3, None, "x")],
    ),
    "changed_in_a_wider_type": (
        "unique_key='id', merge_only_changed=true, on_schema_change='sync_all_columns'",
        "select 1 as id, 10 as n, cast(0.1 as float) as f",
        "select 1 as id, 10L as n, 0.1d as f union all select 2, 3000000000, 0.5",
        [(1, 10, 0.1), (2, 3000000000, 0.5)],
    ),
    "reads_a_new_column_beside_fewer_fields": (
        f"unique_key='id', matched_condition='{S}.op = 1', not_matched_condition='{S}.op = 1'",
        "select id, 1 as v, named_struct('a', 1, 'b', 2) as s from values (1), (2) as t(id)",
        "select id, 5 as v, named_struct('a', id) as s, id % 2 as op"
        " from values (1), (2), (3), (4) as t(id)",
        [(1, 5, (1, 2)), (2, 1, (1, 2)), (3, 5, (3, None))],
    ),
    "unchanged_in_a_narrower_type": (
        "unique_key='id', merge_only_changed=true, on_schema_change='append_new_columns'",
        "select 1 as id, cast(0.1 as float) as f",
        "select 1 as id, 0.1d as f",
        [(1, approx(0.1))],
    ),
    "once": (
        "incremental_strategy='append', idempotency_key='load-7'",
        FIRST,
        SECOND,
        [(1, 10), (2, 20)],
    ),
    "parquet": (
        "incremental_strategy='append', file_format='parquet'",
        FIRST,
        SECOND,
        [(1, 10), (2, 20), (2, 25), (3, 30)],
    ),
    "parquet_partitions": (
        "incremental_strategy='insert_overwrite', file_format='parquet', partition_by='id'",
        "select * from values (10, 1), (20, 2) as t(v, id)",
        "select * from values (25, 2), (30, 3) as t(v, id)",
        [(10, 1), (25, 2), (30, 3)],
    ),
    "header": (
        "incremental_strategy='append',"
        ' sql_header="set spark.sql.session.timeZone = Asia/Tokyo;"',
        "select 1 as id, current_timezone() as v",
        "select 2 as id, current_timezone() as v",
        [(1, "Asia/Tokyo"), (2, "Asia/Tokyo")],
    ),
    "noted": (
        "unique_key='id', commit_metadata={'ticket': 42}",
        FIRST,
        SECOND,
        [(1, 10), (2, 25), (3, 30)],
    ),
    "compacted": (
        "incremental_strategy='append', optimize={'after_runs': 2}, zorder='id'",
        FIRST,
        SECOND,
        [(1, 10), (2, 20), (2, 25), (3, 30)],
    ),
}
KEPT_UP = "optimize={'after_runs': 2}, zorder='id'"
KEPT_UP_TABLE = "{{ config(materialized='table', " + KEPT_UP + ") }} select 1 as id"
NO_STATISTICS = "tblproperties={'delta.dataSkippingNumIndexedCols': '0'}"
NOT_OPTIMIZED = (
    "{{ config(materialized='table', optimize={'after_runs': 1}, zorder='id', "
    + NO_STATISTICS
    + ") }} select 1 as id"
)
KEPT_UP_SNAPSHOT = (
    "{% snapshot kept_up_snapshot %}"
    " {{ config(strategy='check', unique_key='id', check_cols='all', "
    + KEPT_UP
    + ") }} select 1 as id, '{{ invocation_id }}' as v {% endsnapshot %}"
)
FAILS = {"clause_of_error": 'The row: {"id":2}'}


class TestMergeModels:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            f"{name}.sql": incremental(config, first, second)
            for name, (config, first, second, _) in MERGES.items()
        } | {"kept_up_table.sql": KEPT_UP_TABLE, "not_optimized.sql": NOT_OPTIMIZED}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept_up.sql": KEPT_UP_SNAPSHOT}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "build")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        return dbt(project, "build")

    @pytest.mark.parametrize(("name", "expected"), [(n, m[3]) for n, m in MERGES.items()])
    def test_the_second_run_leaves_these_rows(
        self, project: TestProjInfo, second: Run, name: str, expected: Rows
    ) -> None:
        status = "error" if name in FAILS else "success"
        assert second.status(name) == status, second.message(name)
        assert rows(project, f"select * from {{schema}}.{name} order by all") == expected

    @pytest.mark.parametrize(("name", "told"), FAILS.items())
    def test_an_error_names_the_row(self, second: Run, name: str, told: str) -> None:
        assert told in second.message(name)

    @pytest.mark.parametrize("name", ["unchanged", "unchanged_in_a_narrower_type", "once"])
    def test_nothing_to_do_commits_nothing(self, second: Run, name: str) -> None:
        response = second.response(name)
        assert (response["delta_version"], response["skipped"]) == (None, True)

    def test_a_header_s_settings_do_not_stay(self, project: TestProjInfo, second: Run) -> None:
        assert rows(project, "select current_timezone()") == [("UTC",)]

    def test_a_commit_says_who_made_it_and_what_the_model_says(
        self, project: TestProjInfo, second: Run
    ) -> None:
        (newest,) = rows(project, "describe history {schema}.noted limit 1")
        (told,) = [json.loads(each) for each in newest if str(each).startswith('{"node_id"')]
        assert told["node_id"].endswith(".noted")
        assert told["commit_metadata"] == {"ticket": 42}

    @pytest.mark.parametrize("name", ["compacted", "kept_up_table", "kept_up_snapshot"])
    def test_optimize_runs_when_it_is_due(
        self, project: TestProjInfo, second: Run, name: str
    ) -> None:
        history = rows(project, f"describe history {{schema}}.{name}")
        operations = [each[4] for each in history]
        assert (operations[0], operations.count("OPTIMIZE"), len(operations)) == ("OPTIMIZE", 1, 3)

    def test_an_optimize_that_fails_is_a_warning_of_a_model_that_is_written(
        self, project: TestProjInfo, first: Run
    ) -> None:
        assert first.status("not_optimized") == "success", first.message("not_optimized")
        (told,) = [each for each in first.warnings if "not_optimized" in each]
        assert "DELTA_ZORDERING_ON_COLUMN_WITHOUT_STATS" in told
        assert told.endswith("`not_optimized` ZORDER BY (`id`)")

    def test_another_format_counts_its_rows_and_has_no_version(self, second: Run) -> None:
        response = second.response("parquet")
        assert (response["rows_inserted"], response["skipped"]) == (2, False)
        assert response["delta_version"] is None
