"""Columns of type variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import dbt, incremental, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


class TestVariants:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        config = "incremental_strategy='append', on_schema_change='append_new_columns'"
        second = """select 2 as id, parse_json('{"a": 3}') as v"""
        return {"variants.sql": incremental(config, "select 1 as id", second)}

    def test_one_that_comes_later_is_taken(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        again = dbt(project, "run")
        assert again.status("variants") == "success", again.message("variants")
        found = rows(project, "select id, v:a::int from {schema}.variants order by id")
        assert found == [(1, None), (2, 3)]
