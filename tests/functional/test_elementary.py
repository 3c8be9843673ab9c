"""Tables that elementary's tests leave, found by the macro that dispatch finds for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dbt.tests.util import run_dbt
from local_package import install
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# It dispatches as elementary does, with the same names and arguments.
MACROS = """
{% macro cleanup_stale_test_tables(hours=24, limit=2000) %}
  {% set find = adapter.dispatch('get_stale_test_tables', 'elementary') %}
  {% for table in find(target.database, target.schema, hours, 'test%__tmp_%', limit) %}
    {% do run_query('drop table if exists ' ~ table) %}
  {% endfor %}
{% endmacro %}

{% macro default__get_stale_test_tables(database, schema, hours, pattern, limit) %}
  {% do exceptions.raise_compiler_error('not implemented') %}
{% endmacro %}
"""
ONE_ROW = "{{ config(materialized='table') }} select 1 as id"


class TestElementary:
    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "elementary"}]}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        order = ["test", "dbt", "elementary"]
        return {"dispatch": [{"macro_namespace": "elementary", "search_order": order}]}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "test_a__metrics__tmp_20240102030405000000.sql": ONE_ROW,
            "test_b__metrics__tmp_29990102030405000000.sql": ONE_ROW,
            "test_c__tmp_1.sql": ONE_ROW,
            "orders__tmp_20240102030405000000.sql": ONE_ROW,
            "test_d__tmp_20240102030405000000.sql": "select 1 as id",
        }

    def test_old_tables_of_tests_are_dropped(self, project: TestProjInfo) -> None:
        install(project, "elementary", MACROS)
        dbt(project, "run")
        run_dbt(["run-operation", "elementary.cleanup_stale_test_tables"])
        assert rows(
            project,
            "select table_name from information_schema.tables"
            " where table_schema = '{schema}' order by table_name",
        ) == [
            ("orders__tmp_20240102030405000000",),
            ("test_b__metrics__tmp_29990102030405000000",),
            ("test_c__tmp_1",),
            ("test_d__tmp_20240102030405000000",),
        ]
