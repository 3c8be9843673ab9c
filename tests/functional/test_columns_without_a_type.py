"""sync_all_columns where a column holds nulls alone in some runs, and so has Spark's type void."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import Row
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

STRATEGIES = {
    "merged": "unique_key='id'",
    "compared": "unique_key='id', merge_only_changed=true",
    "appended": "incremental_strategy='append'",
    "replaced": "incremental_strategy='delete+insert', unique_key='id'",
    "overwritten": "incremental_strategy='insert_overwrite', replace_on='id'",
    "versions": "incremental_strategy='scd2', unique_key='id', scd2_check_columns='all'",
    "own": "incremental_strategy='own_append'",
}
STEPS = """
{% set step = var('step') %}
select {{ step }} as id,
  {{ '20' if step == 2 else 'null' }} as v,
  {{ "timestamp_ntz'2026-01-02'" if step == 2 else 'null' }} as at,
  named_struct('a', {{ '2' if step == 2 or this.name == 'own' else 'null' }}, 'b', 1) as s,
  {{ 'array()' if step == 3 else 'array(1)' }} as l
"""
OWN_APPEND = """
{% macro get_incremental_own_append_sql(arg_dict) %}
  {{ return(get_insert_into_sql(arg_dict['temp_relation'], arg_dict['target_relation'])) }}
{% endmacro %}
"""
OF_PYTHON = """
def model(dbt, session):
    dbt.config(materialized='incremental', unique_key='id', on_schema_change='sync_all_columns')
    step = dbt.config.get('step')
    value = 'two' if step == 2 else None
    kind = 'string' if step == 2 else 'void'
    return session.createDataFrame([(step, value)], f'id int, v {kind}')
"""
EXPECTED = [
    (1, None, None, [1]),
    (2, 20, datetime(2026, 1, 2), [1]),
    (3, None, None, []),
]


class TestColumnsWithoutAType:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        models = {
            f"{name}.sql": "{{ config(materialized='incremental',"
            f" on_schema_change='sync_all_columns', {config}) }}}}{STEPS}"
            for name, config in STRATEGIES.items()
        }
        of_python = "models: [{name: of_python, config: {step: \"{{ var('step') }}\"}}]"
        return {**models, "of_python.py": OF_PYTHON, "of_python.yml": of_python}

    @pytest.fixture(scope="class")
    def macros(self) -> dict[str, str]:
        return {"own.sql": OWN_APPEND}

    @pytest.fixture(scope="class")
    def runs(self, project: TestProjInfo) -> list[Run]:
        return [dbt(project, "run", "--vars", f"step: {step}") for step in (1, 2, 3)]

    @pytest.mark.parametrize("name", STRATEGIES)
    def test_it_takes_the_first_type_that_comes_and_keeps_it(
        self, project: TestProjInfo, runs: list[Run], name: str
    ) -> None:
        assert [run.message(name) for run in runs if run.status(name) != "success"] == []
        found: list[tuple[Any, ...]] = rows(
            project, f"select id, v, at, l from {{schema}}.{name} order by id"
        )
        assert found == EXPECTED

    @pytest.mark.parametrize("name", sorted(STRATEGIES.keys() - {"own"}))
    def test_so_does_a_field(self, project: TestProjInfo, runs: list[Run], name: str) -> None:
        found = rows(project, f"select s from {{schema}}.{name} order by id")
        assert found == [(Row(a=None, b=1),), (Row(a=2, b=1),), (Row(a=None, b=1),)]

    def test_types_are_not_widened_for_that(self, project: TestProjInfo, runs: list[Run]) -> None:
        for name in STRATEGIES:
            table = f"describe detail {project.test_schema}.{name}"
            assert "typeWidening" not in project.run_sql(table, fetch="one")["tableFeatures"], name

    def test_so_does_one_of_a_python_model(self, project: TestProjInfo, runs: list[Run]) -> None:
        assert [
            run.message("of_python") for run in runs if run.status("of_python") != "success"
        ] == []
        found = rows(project, "select * from {schema}.of_python order by id")
        assert found == [(1, None), (2, "two"), (3, None)]
