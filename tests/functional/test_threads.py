"""Threads have sessions of their own, so equal names in two schemas do not meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

NUMBERS = """
{{{{ config(materialized='incremental', unique_key='id', schema='{schema}', alias='{alias}') }}}}
select id, '{schema}.{alias}' as owner, {{{{ 2 if is_incremental() else 1 }}}} as run
from range({{{{ '50, 150' if is_incremental() else '0, 100' }}}})
"""
SCHEMAS, ALIASES = ("north", "south"), ("facts", "people")


class TestThreads:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            f"{schema}_{alias}.sql": NUMBERS.format(schema=schema, alias=alias)
            for schema in SCHEMAS
            for alias in ALIASES
        }

    def test_the_same_alias_in_two_schemas_gets_its_own_rows(self, project: TestProjInfo) -> None:
        for _ in range(2):
            run = dbt(project, "run", "--threads", "4")
            assert {result.status for result in run.results.values()} == {"success"}
        for schema in SCHEMAS:
            for alias in ALIASES:
                counts = rows(
                    project,
                    "select owner, run, count(*), min(id), max(id)"
                    f" from {{schema}}_{schema}.{alias} group by all order by run",
                )
                owner = f"{schema}.{alias}"
                assert counts == [(owner, 1, 50, 0, 49), (owner, 2, 100, 50, 149)]
