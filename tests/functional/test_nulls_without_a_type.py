"""`select null as x`, which has Spark's type void: made as it is, and the cast to write is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import dbt

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

NULL = "select 1 as id, null as x"
SNAPSHOT = """
{% snapshot kept %}
{{ config(target_schema=schema, unique_key='id', strategy='check', check_cols='all') }}
select 1 as id {{ ', null as x' if var('later', false) }}
{% endsnapshot %}
"""
HAS_NO_TYPE = (
    "deltaspark adapter: Model '{}' ({}/{}.sql): the column 'x' is null and has no type (void);"
    " give it one, as in cast(null as string) as x"
)


class TestNullsWithoutAType:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "a_table.sql": "{{ config(materialized='table') }}" + NULL,
            "merged.sql": "{{ config(materialized='incremental', unique_key='id') }}" + NULL,
            "a_view.sql": NULL,
            "described.sql": "select 1 as id, null x",
            "described.yml": "models: [{name: described, config: {persist_docs: {columns: true}},"
            " columns: [{name: id, description: the key}]}]",
            "cast.sql": "select cast(null as string) as x, id is not null as y from range(1)",
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"kept.sql": SNAPSHOT}

    def test_they_are_told_with_the_cast_to_write(self, project: TestProjInfo) -> None:
        run = dbt(project, "run")
        assert sorted(run.warnings) == [
            HAS_NO_TYPE.format(name, "models", name)
            for name in ("a_table", "a_view", "described", "merged")
        ]
        assert {run.status(name) for name in run.results} == {"success"}
        assert not any("(`" in each for each in run.statements_of("a_view"))

    def test_so_is_one_that_a_later_snapshot_adds(self, project: TestProjInfo) -> None:
        assert dbt(project, "snapshot").warnings == ()
        run = dbt(project, "snapshot", "--vars", "later: true")
        assert run.status("kept") == "success"
        assert run.warnings == (HAS_NO_TYPE.format("kept", "snapshots", "kept"),)
        columns = project.run_sql(f"describe {project.test_schema}.kept", fetch="all")
        assert ("x", "void") in [tuple(each)[:2] for each in columns]
        assert dbt(project, "snapshot", "--vars", "later: true").warnings == ()
