"""A semicolon at the end of a query: dbt and the adapter put the query into others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from dbt.tests.util import run_dbt
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

ENDS = {"plain": ";", "before_a_comment": "; -- the end;", "before_a_line": " ;\n"}
QUERY = "select 1 as id, ';' as v -- one; two"
CONFIG = "materialized='{}', on_schema_change='fail', contract={{'enforced': true}}"
MODELS = {
    f"{kind}_{name}": f"{{{{ config({CONFIG.format(kind)}) }}}}\n{QUERY}\n{end}"
    for kind in ("table", "incremental", "view")
    for name, end in ENDS.items()
}
SNAPSHOT = """{{% snapshot {} %}}
{{{{ config(strategy='check', check_cols='all', unique_key='id') }}}}
{}
{{% endsnapshot %}}"""
COLUMNS = "columns: [{name: id, data_type: int}, {name: v, data_type: string}]"
BAD = ("error", "fail", "skipped")
CONTRACTS = "models:\n" + "".join(f"  - {{name: {name}, {COLUMNS}}}\n" for name in MODELS)
UNIT_TEST = """
unit_tests:
  - name: its_rows
    model: table_before_a_comment
    given: []
    expect: {rows: [{id: 1, v: ";"}]}
"""


class TestSemicolonsAtTheEnd:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        models = {f"{name}.sql": text for name, text in MODELS.items()}
        return {**models, "contracts.yml": CONTRACTS + UNIT_TEST}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {
            f"s_{name}.sql": SNAPSHOT.format(f"s_{name}", QUERY + e) for name, e in ENDS.items()
        }

    @pytest.fixture(scope="class")
    def tests(self) -> dict[str, str]:
        return {"there_is_no_other.sql": "{{ config(limit=5) }} select 1 where false; -- none"}

    @pytest.fixture(scope="class", params=["first", "second"])
    def run(self, project: TestProjInfo, request: pytest.FixtureRequest) -> Run:
        return dbt(project, "build")

    def test_models_snapshots_and_tests_run(self, project: TestProjInfo, run: Run) -> None:
        failed = [run.message(each) for each in run.results if run.status(each) in BAD]
        assert failed == []
        assert len(run.results) == 3 * len(ENDS) + len(ENDS) + 2

    @pytest.mark.parametrize("name", [*MODELS, *(f"s_{name}" for name in ENDS)])
    def test_a_semicolon_in_a_text_stays(self, project: TestProjInfo, name: str) -> None:
        assert rows(project, f"select distinct id, v from {{schema}}.{name}") == [(1, ";")]

    def test_a_query_is_shown(self, project: TestProjInfo) -> None:
        shown = run_dbt(["show", "--inline", "select 1 as id; -- one"])
        assert shown.results[0].agate_table.rows[0][0] == 1
