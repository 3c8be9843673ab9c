"""Hooks of every kind of node: dbt's order, also of those outside of a transaction."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt

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
