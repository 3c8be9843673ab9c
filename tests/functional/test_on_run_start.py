"""What on-run-start sets holds for each session of its run, and for nothing after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

STARTS = [
    "set time zone 'Asia/Tokyo'",
    "set spark.sql.ansi.enabled = false",
    "create temporary view kept_view as select 41 as n",
    "create temporary function kept_one(x int) returns int return x + 1",
    "{% do run_query('set spark.sql.shuffle.partitions = 7') %} select 1",
]
SETTINGS = (
    "current_timezone() as zone, cast('no number' as int) as ansi_off,"
    " (select kept_one(n) from kept_view) as answer, {{ setting('spark.sql.shuffle.partitions') }}"
    " as partitions"
)
HELD = ("Asia/Tokyo", None, 42, "7")
SETTING = """{% macro setting(name) %}
  '{{ run_query('set ' ~ name).columns[1].values()[0] if execute }}'
{% endmacro %}"""
LEAKS = ("set time zone 'America/Lima'", "create or replace temporary view kept_view as select 1 n")
HEADED = "{% call set_sql_header(config) %} set a.b = 1; {% endcall %}"

AFTER = "-- depends_on: {{{{ ref('{}') }}}}\n"
OTHER_CATALOG = {
    "spark.sql.catalog.shop": "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog",
    "spark.sql.catalog.shop.url": "jdbc:derby:memory:shop_of_a_run;create=true",
    "spark.sql.catalog.shop.driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver",
}


def model(kind: str, extra: str = "", query: str = f"select {SETTINGS}") -> str:
    return f"{{{{ config(materialized='{kind}'{extra}) }}}} {query}"


class TestOnRunStart:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        at_end = "create or replace table {{ target.schema }}.at_end using delta as select "
        return {"on-run-start": STARTS, "on-run-end": [at_end + SETTINGS]}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"setting.sql": SETTING}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        leaking = f", pre_hook={[*LEAKS]!r}"
        return {
            "a_leak.sql": model("table", leaking),
            "a_table.sql": model(
                "table", query=f"-- depends_on: {{{{ ref('a_leak') }}}}\nselect {SETTINGS}"
            ),
            "an_increment.sql": model("incremental", ", unique_key='answer'"),
            "a_headed_one.sql": model("table", query=f"{HEADED} select {SETTINGS}"),
            "of_python.py": (
                "def model(dbt, session):\n"
                "    return session.sql('select kept_one(n) as answer from kept_view')\n"
            ),
        }

    @pytest.fixture(scope="class")
    def tests(self) -> dict[str, str]:
        return {"holds.sql": "select n from kept_view where kept_one(n) <> 42"}

    @pytest.fixture(scope="class", autouse=True)
    def built(self, project: TestProjInfo) -> None:
        for _ in range(2):
            run = dbt(project, "build")
            messages = [run.message(each) for each in run.results]
            assert {*map(run.status, run.results)} == {"success", "pass"}, messages

    @pytest.mark.parametrize("name", ["a_table", "an_increment", "a_headed_one", "at_end"])
    def test_settings_views_and_functions_hold(self, project: TestProjInfo, name: str) -> None:
        assert rows(project, f"select * from {{schema}}.{name}") == [HELD]

    def test_a_python_model_has_them(self, project: TestProjInfo) -> None:
        assert rows(project, "select answer from {schema}.of_python") == [(42,)]

    def test_a_pre_hook_sets_its_model_alone(self, project: TestProjInfo) -> None:
        assert rows(project, "select zone, answer from {schema}.a_leak") == [("America/Lima", 2)]

    def test_the_next_command_begins_without(self, project: TestProjInfo) -> None:
        run = dbt(project, "show", "--inline", "select current_timezone() as zone")
        assert run.results["inline_query"].agate_table.rows[0][0] != "Asia/Tokyo"


@pytest.mark.embedded("a server's sessions copy no variables")
class TestVariablesAndCatalogs:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {
            "on-run-start": [
                "declare variable since date default date'2020-01-01'",
                "declare variable run_key string default uuid()",
                "set var since = date'2024-02-29'",
                *(f"set `{name}` = `{value}`" for name, value in OTHER_CATALOG.items()),
                "use shop.SYS",
            ],
            "on-run-end": [
                "create table spark_catalog.{{ target.schema }}.at_end using delta"
                " as select since, run_key as k"
            ],
        }

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        query = "select since, run_key as k"
        return {
            "changed.sql": model("table", ", pre_hook=\"set var since = date'1999-01-01'\"", query),
            "plain.sql": model("table", "", AFTER.format("changed") + query),
            "headed.sql": model("table", "", f"{HEADED} {query}"),
            "merged.sql": model("incremental", ", unique_key='since'", query),
            "place.sql": model("table", "", "select current_catalog() as c, current_schema() as s"),
        }

    @pytest.fixture(scope="class", autouse=True)
    def built(self, project: TestProjInfo) -> None:
        run = dbt(project, "run")
        messages = [run.message(each) for each in run.results]
        assert {*map(run.status, run.results)} == {"success"}, messages

    @pytest.mark.parametrize("name", ["plain", "headed", "merged", "at_end"])
    def test_a_variable_has_its_value_of_then(self, project: TestProjInfo, name: str) -> None:
        found = rows(project, f"select cast(since as string) from {{schema}}.{name}")
        assert found == [("2024-02-29",)]

    def test_a_default_is_evaluated_once(self, project: TestProjInfo) -> None:
        names = ("changed", "plain", "headed", "merged", "at_end")
        union = " union all ".join(f"select k from {{schema}}.{name}" for name in names)
        assert rows(project, f"select count(distinct k), count(*) from ({union})") == [(1, 5)]

    def test_a_pre_hook_sets_it_for_its_model_alone(self, project: TestProjInfo) -> None:
        found = rows(project, "select cast(since as string) from {schema}.changed")
        assert found == [("1999-01-01",)]

    def test_its_catalog_is_the_current_one(self, project: TestProjInfo) -> None:
        assert rows(project, "select c, s from {schema}.place") == [("shop", "SYS")]
