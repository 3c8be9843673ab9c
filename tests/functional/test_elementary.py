"""What dispatch finds for elementary: the tables that its tests leave, and the parts of names."""

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

{% macro full_name_split(part) %}
  {{ adapter.dispatch('full_name_split', 'elementary')(part) }}
{% endmacro %}

{% macro default__full_name_split(part) %}
  trim(full_table_name, '"') as {{ part }}
{% endmacro %}

{% macro default__get_stale_test_tables(database, schema, hours, pattern, limit) %}
  {% do exceptions.raise_compiler_error('not implemented') %}
{% endmacro %}
"""
PARTS = ", ".join(
    f"{{{{ elementary.full_name_split('{part}_name') }}}}"
    for part in ("database", "schema", "table")
)
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
            "parts.sql": f"select {PARTS} from values ('A.B.\"C\"') as t(full_table_name)",
        }

    @pytest.fixture(scope="class", autouse=True)
    def installed(self, project: TestProjInfo) -> None:
        install(project, "elementary", MACROS)

    def test_the_parts_of_a_name_are_told_apart(self, project: TestProjInfo) -> None:
        dbt(project, "run", "--select", "parts")
        assert rows(project, "select * from {schema}.parts") == [("A", "B", "C")]

    def test_old_tables_of_tests_are_dropped(self, project: TestProjInfo) -> None:
        dbt(project, "run")
        run_dbt(["run-operation", "elementary.cleanup_stale_test_tables"])
        assert rows(
            project,
            "select table_name from information_schema.tables"
            " where table_schema = '{schema}' and table_name <> 'parts' order by table_name",
        ) == [
            ("orders__tmp_20240102030405000000",),
            ("test_b__metrics__tmp_29990102030405000000",),
            ("test_c__tmp_1",),
            ("test_d__tmp_20240102030405000000",),
        ]
