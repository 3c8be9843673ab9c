"""Functions of SQL: what Spark's are like beyond dbt-tests-adapter's `functions` family."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


FUNCTIONS = {
    "half.sql": "amount / 2 -- of the amount\n;\n",
    "best.sql": "select max(v) from {{ ref('scores') }} where player = who",
    "two_rows.sql": "select n as id, 'first' as name union all select n + 1, 'second'",
    "py.py": "def py(x):\n    return x\n",
    "total.sql": "sum(x)",
    "granted.sql": "1",
    "functions.yml": r"""
functions:
  - name: half
    description: It's half, as in C:\new
    arguments:
      - {name: amount, data_type: "decimal(10, 2)", description: What is 'halved'}
    returns: {data_type: "decimal(10, 2)"}
  - name: best
    arguments: [{name: who, data_type: string}]
    returns: {data_type: int}
  - name: two_rows
    config: {type: table}
    arguments: [{name: n, data_type: int}]
    returns: {data_type: "table (id int, name string)"}
  - name: py
    config: {entry_point: py, runtime_version: "3.11"}
    arguments: [{name: x, data_type: int}]
    returns: {data_type: int}
  - name: total
    config: {type: aggregate}
    arguments: [{name: x, data_type: int}]
    returns: {data_type: bigint}
  - name: granted
    config:
      grants: {execute: [bob]}
      tblpropertie: {a: b}
      pre_hook: create table {{ this.schema }}.of_a_hook (id int)
    returns: {data_type: int}
""",
}
MODELS = {
    "scores.sql": "{{ config(materialized='table') }}"
    " select * from values ('ann', 3), ('ann', 5), ('bob', 4) as t(player, v)",
    "uses_half.sql": "{{ config(materialized='table') }}"
    " select {{ function('half') }}(cast(5 as decimal(10, 2))) as h",
}


class TestSparksFunctions:
    @pytest.fixture(scope="class")
    def functions(self) -> dict[str, str]:
        return FUNCTIONS

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return MODELS

    @pytest.fixture(scope="class")
    def built(self, project: TestProjInfo) -> Any:
        return dbt(project, "build")

    def test_a_model_calls_a_function_of_an_expression(
        self, project: TestProjInfo, built: Any
    ) -> None:
        assert built.response("half") == {
            "_message": "CREATE FUNCTION half",
            "code": "CREATE FUNCTION",
        }
        assert [str(h) for (h,) in rows(project, "select h from {schema}.uses_half")] == ["2.50"]

    def test_a_function_of_a_query_reads_a_model(self, project: TestProjInfo, built: Any) -> None:
        assert rows(project, "select {schema}.best('ann'), {schema}.best('eve')") == [(5, None)]

    def test_descriptions_are_kept_whatever_they_quote(
        self, project: TestProjInfo, built: Any
    ) -> None:
        (text,) = [
            text
            for (text,) in rows(project, "describe function extended {schema}.half")
            if text.startswith("Usage")
        ]
        assert r"It's half, as in C:\\new" in text
        assert "What is \\\\'halved\\\\'" in text

    def test_a_table_function_is_called_by_its_bare_name(
        self, project: TestProjInfo, built: Any
    ) -> None:
        assert built.status("two_rows") == "success"
        with project.adapter.connection_named("table function"):
            _, table = project.adapter.execute("select * from two_rows(7)", fetch=True)
        assert [tuple(row) for row in table.rows] == [(7, "first"), (8, "second")]

    def test_a_function_of_python_is_an_error_with_the_way_out(
        self, project: TestProjInfo, built: Any
    ) -> None:
        assert built.status("py") == "error"
        assert "Function 'py' (functions/py.py) cannot be made" in built.message("py")
        assert "write it in SQL, or define it with pyspark.sql.functions.udf" in built.message("py")

    def test_an_aggregate_function_is_an_error_with_the_way_out(
        self, project: TestProjInfo, built: Any
    ) -> None:
        assert built.status("total") == "error"
        assert "Spark has no aggregate functions of SQL" in built.message("total")

    def test_grants_are_an_error_before_anything_runs(
        self, project: TestProjInfo, built: Any
    ) -> None:
        assert built.status("granted") == "error"
        problems = "(functions/granted.sql) has 2 config problems:\n  - grants are not possible"
        told = built.message("granted").replace("\n    ", "\n  ")
        assert problems in told
        assert "\n  - config 'tblpropertie' is not known; did you mean 'tblproperties'?" in told
        assert not rows(project, "show tables in {schema} like 'of_a_hook'")

    def test_a_misspelt_key_is_told(self, project: TestProjInfo) -> None:
        path = Path(project.project_root, "functions/functions.yml")
        path.write_text(path.read_text().replace("grants: {execute: [bob]}", "volatility: stable"))
        again = dbt(project, "build", "--select", "granted")
        assert again.status("granted") == "success", again.message("granted")
        told = "config 'tblpropertie' is not known; did you mean 'tblproperties'?"
        assert [each for each in again.warnings if told in each]

    def test_a_function_is_a_relation_and_in_no_table_s_way(
        self, project: TestProjInfo, built: Any
    ) -> None:
        project.run_sql("create function {schema}.scores() returns int return 1")
        with project.adapter.connection_named("listing"):
            folder = project.adapter.Relation.create("spark_catalog", project.test_schema)
            found = {
                each.identifier: str(each.type)
                for each in project.adapter.list_relations_without_caching(folder)
            }
        assert found == {
            "half": "function",
            "best": "function",
            "two_rows": "function",
            "granted": "function",
            "of_a_hook": "table",
            "scores": "table",
            "uses_half": "table",
        }
        project.run_sql("create function {schema}.uses_it() returns int return 1")
        again = dbt(project, "run")
        assert {str(each.status) for each in again.results.values()} == {"success"}
        assert rows(project, "select count(*) from {schema}.scores") == [(3,)]
