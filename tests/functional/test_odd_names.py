"""Columns and fields with names that Delta takes under column mapping alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import Row
from runs import Run, dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

PLAIN = "select 1 as id, array(named_struct('a', 1)) as s"
ODD = "select 2 as id, array(named_struct('a', 2, 'b;c', 3)) as s, 4 as `unit price`"
GROWN = [(1, [Row(a=1, **{"b;c": None})], None), (2, [Row(a=2, **{"b;c": 3})], 4)]
MODELS: dict[str, tuple[str, str, str, list[tuple[Any, ...]]]] = {
    "nested": (
        "unique_key='id'",
        "select 1 as id, cast(null as struct<`unit price`: int>) as s,"
        " map('k', array(named_struct('a b', 1))) as m",
        "select 2 as id, named_struct('unit price', 5) as s,"
        " map('k', array(named_struct('a b', 2))) as m",
        [
            (1, None, {"k": [Row(**{"a b": 1})]}),
            (2, Row(**{"unit price": 5}), {"k": [Row(**{"a b": 2})]}),
        ],
    ),
    "merged": ("unique_key='id', on_schema_change='append_new_columns'", PLAIN, ODD, GROWN),
    "evolved": ("unique_key='id', merge_with_schema_evolution=true", PLAIN, ODD, GROWN),
    "appended": (
        "incremental_strategy='append', on_schema_change='append_new_columns'",
        PLAIN,
        ODD,
        GROWN,
    ),
    "synced": (
        "incremental_strategy='delete+insert', unique_key='id',"
        " on_schema_change='sync_all_columns'",
        "select 1 as id, array(named_struct('a', 1)) as s, 'a' as gone",
        ODD,
        GROWN,
    ),
    "by_id": (
        "unique_key='id', on_schema_change='append_new_columns',"
        " tblproperties={'delta.columnMapping.mode': 'id'}",
        PLAIN,
        ODD,
        GROWN,
    ),
    "refused": (
        "unique_key='id', on_schema_change='append_new_columns', allow_protocol_upgrade=false",
        PLAIN,
        ODD,
        [(1, [Row(a=1)])],
    ),
}
SNAPSHOT = """{% snapshot grows %}
{{ config(strategy='check', unique_key='id', check_cols=['v']) }}
select 1 as id, {{ var('v', 1) }} as v {{ ", 3 as `unit price`" if var('v', 1) == 2 }}
{% endsnapshot %}
"""


class TestOddNames:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            f"{name}.sql": incremental(config, first, second)
            for name, (config, first, second, _) in MODELS.items()
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"grows.sql": SNAPSHOT}

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo) -> Run:
        dbt(project, "run")
        return dbt(project, "run")

    @pytest.mark.parametrize(("name", "expected"), [(n, m[3]) for n, m in MODELS.items()])
    def test_the_second_run_leaves_these_rows(
        self, project: TestProjInfo, second: Run, name: str, expected: list[tuple[Any, ...]]
    ) -> None:
        status = "error" if name == "refused" else "success"
        assert second.status(name) == status, second.message(name)
        assert rows(project, f"select * from {{schema}}.{name} order by id") == expected

    def test_column_mapping_that_is_turned_on_is_told(self, second: Run) -> None:
        (warning,) = [each for each in second.warnings if "'merged'" in each]
        assert "the name of s.element.b;c, unit price needs the table feature" in warning

    def test_a_table_that_has_it_is_told_nothing(self, second: Run) -> None:
        assert not [each for each in second.warnings if "'by_id'" in each]

    def test_an_error_says_the_way_out(self, second: Run) -> None:
        assert "allow_protocol_upgrade is false; name it without" in second.message("refused")

    def test_a_snapshot_grows(self, project: TestProjInfo) -> None:
        for v in (1, 2):
            run = dbt(project, "snapshot", "--vars", f"{{v: {v}}}")
            assert run.status("grows") == "success", run.message("grows")
        found = rows(project, "select v, `unit price` from {schema}.grows order by v")
        assert found == [(1, None), (2, 3)]
