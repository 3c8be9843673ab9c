"""Hooks of every kind of node: dbt's order, also of those outside of a transaction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, operation, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

HOOKS = """
    config:
      {config}
      pre_hook: ["select 'pre 2'", {{sql: "select 'pre 1'", transaction: false}}]
      post_hook: [{{sql: "select 'post 2'", transaction: false}}, "select 'post 1'"]
"""
IN_SQL = """{{ config(pre_hook=["select 'pre 2'", before_begin("select 'pre 1'"), ' '],
                      post_hook=[after_commit("select 'post 2'"), "select 'post 1'"]) }} """
TEXT = re.compile(r"select '((?:pre|post) \d)'")
KINDS = ("a_table", "a_view", "an_increment", "of_python", "a_seed", "a_snapshot", "a_function")


class TestHooks:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        configured = HOOKS.format(config="materialized: table")
        return {
            "a_table.sql": IN_SQL + "{{ config(materialized='table') }} select 1 as id",
            "a_view.sql": IN_SQL + "select 1 as id",
            "an_increment.sql": IN_SQL
            + "{{ config(materialized='incremental', unique_key='id') }} select 1 as id",
            "of_python.py": "def model(dbt, session):\n    return session.range(1)\n",
            "models.yml": f"models:\n  - name: of_python{configured}",
        }

    @pytest.fixture(scope="class")
    def seeds(self) -> dict[str, str]:
        hooks = HOOKS.format(config="quote_columns: false")
        return {"a_seed.csv": "id\n1\n", "seeds.yml": f"seeds:\n  - name: a_seed{hooks}"}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        hooks = HOOKS.format(config="strategy: check")
        hooks += "      check_cols: all\n      unique_key: id\n    relation: ref('a_seed')\n"
        return {"snapshots.yml": f"snapshots:\n  - name: a_snapshot{hooks}"}

    @pytest.fixture(scope="class")
    def functions(self) -> dict[str, str]:
        hooks = HOOKS.format(config="volatility: deterministic")
        facts = "    arguments: [{name: x, data_type: int}]\n    returns: {data_type: int}\n"
        return {
            "a_function.sql": "x + 1",
            "functions.yml": f"functions:\n  - name: a_function{hooks}{facts}",
        }

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Run:
        return dbt(project, "build")

    @pytest.mark.parametrize("name", KINDS)
    def test_each_hook_runs_once_in_dbt_s_order(self, run: Run, name: str) -> None:
        assert run.status(name) == "success", run.message(name)
        sent = [found[1] for sql in run.statements_of(name) if (found := TEXT.search(sql))]
        assert sent == ["pre 1", "pre 2", "post 1", "post 2"]


TABLE = "create table {{ target.schema }}.%s using delta as select "
IN_ONE_TEXT = (
    "-- first; of two\ncreate or replace temporary view said as select ';' as a, 'b;' as b;"
    " set time zone 'Asia/Tokyo';"
)
SAID = "select a, b, current_timezone() as zone from said"
BROKEN = f"{TABLE % 'made'} 1 as id; select no_such_column; {TABLE % 'not_made'} 1 as id"
ANSWER = """{% macro answer() %}
  {% set found = run_query("set its.own = 3; select 4 as n; ") %}
  {{ return(found.columns[0].values()[0] if execute) }}
{% endmacro %}
{% macro tell() %}{{ print(answer()) }}{% endmacro %}"""


class TestSeveralStatementsInOneText:
    """As users of other adapters write them; Spark itself takes one a text."""

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        start = "set its.own = x; create temporary view of_the_start as select 'x;' as x"
        insert = "insert into {{ target.schema }}.ended select 'y'"
        end = f"{TABLE % 'ended'} x from of_the_start;\n{insert}"
        return {"on-run-start": start, "on-run-end": end}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"answer.sql": ANSWER}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        config = f"materialized='table', pre_hook=\"{IN_ONE_TEXT}\""
        return {
            "hooked.sql": f"{{{{ config({config}) }}}} {SAID}",
            "asks.sql": "{{ config(materialized='table') }} select {{ answer() }} as n",
            "broken.sql": f'{{{{ config(pre_hook="{BROKEN}") }}}} select 1 as id',
            "two.sql": f"select 1 as id; {TABLE % 'not_made'} 1 as id",
        }

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Run:
        return dbt(project, "run")

    def test_a_pre_hook_runs_each(self, project: TestProjInfo, run: Run) -> None:
        assert run.status("hooked") == "success", run.message("hooked")
        assert rows(project, "select * from {schema}.hooked") == [(";", "b;", "Asia/Tokyo")]

    def test_hooks_of_the_run_run_each(self, project: TestProjInfo, run: Run) -> None:
        assert rows(project, "select x from {schema}.ended order by x") == [("x;",), ("y",)]

    def test_run_query_answers_what_the_last_one_finds(
        self, project: TestProjInfo, run: Run
    ) -> None:
        assert rows(project, "select n from {schema}.asks") == [(4,)]
        assert operation(project, "tell") == ["4"]

    def test_an_error_says_which_one_it_is_of(self, project: TestProjInfo, run: Run) -> None:
        message = " ".join(run.message("broken").split())
        told = "This is statement 2 of 3 in one text; those before it were run: select no_such"
        assert told in message
        assert "This pre_hook failed, before the node itself" in message
        made = rows(project, "show tables in {schema} like '*made'")
        assert [name for _, name, _ in made] == ["made"]

    def test_a_model_is_one_query(self, run: Run) -> None:
        assert "This is 2 statements, and a node is one query" in run.message("two")
