"""sql_header where no materialization runs the query: shown, tested, or analyzed before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows

from dbt.adapters.deltaspark.materialize import headers

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo
    from pyspark.sql import SparkSession


def headed(header: str, query: str) -> str:
    return f"{{% call set_sql_header(config) %}}\n{header}\n{{% endcall %}}\n{query}"


OWN_CONF = "spark.sql.files.maxPartitionBytes"
DOUBLED = "create temporary function doubled(x int) returns int return x * 2"
MODELS = {
    "conf.sql": headed("set spark.sql.session.timeZone = Asia/Tokyo", "select current_timezone()"),
    "after.sql": "select current_timezone()",
    "function.sql": headed(
        f"{DOUBLED};\nset a = 1;", "select doubled(cast(id as int)) from range(9)"
    ),
    "begun.sql": headed(
        f"{DOUBLED}; -- then\nWITH t as (select 7 as n)", "select doubled(n) from t"
    ),
}
QUERY = (
    "select id, doubled(cast(id as int)) + {{ var('more', 0) }} as n, current_timestamp() as at"
    " from range(2)"
)


def snapshot(name: str, config: str) -> str:
    return (
        f"{{% snapshot {name} %}}{{{{ config(unique_key='id', {config}) }}}}"
        f"{headed(DOUBLED, QUERY)}{{% endsnapshot %}}"
    )


def shown(project: TestProjInfo, *arguments: str) -> dict[str, list[Any]]:
    run = dbt(project, "show", "--threads", "1", *arguments)
    return {
        name: [row[0] for row in result.agate_table.rows] for name, result in run.results.items()
    }


class TestShownModels:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return MODELS

    def test_statements_run_before_the_query(self, project: TestProjInfo) -> None:
        (here,) = rows(project, "select current_timezone()")
        assert shown(project, "--select", "*", "--limit", "3") == {
            "after": [*here],
            "begun": [14],
            "conf": ["Asia/Tokyo"],
            "function": [0, 2, 4],
        }

    def test_an_inline_query_has_a_header_too(self, project: TestProjInfo) -> None:
        found = shown(project, "--inline", MODELS["function.sql"], "--limit", "-1")
        assert found["inline_query"] == [*range(0, 18, 2)]


class TestSnapshots:
    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {
            "kept.sql": snapshot("kept", "strategy='check', check_cols=['n']"),
            "stamped.sql": snapshot("stamped", "strategy='timestamp', updated_at='at'"),
        }

    def test_the_query_is_analyzed_after_the_header(self, project: TestProjInfo) -> None:
        for more in ("0", "1"):
            run = dbt(project, "snapshot", "--vars", f"more: {more}")
            messages = [run.message(name) for name in run.results if run.status(name) != "success"]
            assert messages == []
        found = rows(project, "select id, n, dbt_valid_to is null from {schema}.kept order by all")
        assert found == [(0, 0, False), (0, 1, True), (1, 2, False), (1, 3, True)]
        assert rows(project, "select count(*) from {schema}.stamped") == [(4,)]


TOKYO = "set time zone 'Asia/Tokyo'"
ZONE = "current_timezone() = 'Asia/Tokyo' as is_tokyo"
TESTED = """
unit_tests:
  - name: a_function
    model: by_function
    given: [{input: ref('given'), rows: [{id: 4}]}]
    expect: {rows: [{n: 8}]}
  - name: a_setting
    model: by_setting
    given: [{input: ref('given'), rows: [{id: 4}]}]
    expect: {rows: [{id: 4, is_tokyo: true}]}
  - name: of_a_view
    model: a_view
    given: [{input: ref('given'), rows: [{id: 4}]}]
    expect: {rows: [{id: 4, is_tokyo: false}]}
  - name: a_merge
    model: merged
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: true}}
    given:
      - {input: ref('given'), rows: [{id: 4}]}
      - input: this
        format: sql
        rows: select 4 as id, 0 as n, true as is_tokyo union all select 5, 5, false
    expect: {rows: [{id: 4, n: 8, is_tokyo: true}, {id: 5, n: 5, is_tokyo: false}]}
"""
ODD = "create temporary function odd(x int) returns boolean return x % 2 = 1"


class TestTests:
    """A unit test runs under the header of its model, a data test under its own."""

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        table, given = "{{ config(materialized='table') }}", "from {{ ref('given') }}"
        merge = "{{ config(materialized='incremental', unique_key='id') }}"
        both = f"{DOUBLED};\n{TOKYO};"
        return {
            "given.sql": f"{table} select 1 as id",
            "by_function.sql": table + headed(DOUBLED, f"select doubled(id) as n {given}"),
            "by_setting.sql": table + headed(TOKYO, f"select id, {ZONE} {given}"),
            "a_view.sql": headed(TOKYO, f"select id, {ZONE} {given}"),
            "merged.sql": merge + headed(both, f"select id, doubled(id) as n, {ZONE} {given}"),
            "unit_tests.yml": TESTED,
        }

    @pytest.fixture(scope="class")
    def tests(self) -> dict[str, str]:
        query = "select id from {{ ref('given') }} where odd(id)"
        return {
            "is_odd.sql": headed(ODD, query),
            "is_kept.sql": "{{ config(store_failures=true) }}" + headed(ODD, query),
        }

    @pytest.mark.parametrize("name", ["a_function", "a_setting", "of_a_view", "a_merge"])
    def test_a_unit_test_runs_as_its_model_does(self, tested: Run, name: str) -> None:
        assert tested.status(name) == "pass", tested.message(name)

    @pytest.mark.parametrize("name", ["is_odd", "is_kept"])
    def test_a_data_test_has_its_header(self, tested: Run, name: str) -> None:
        assert (tested.status(name), tested.results[name].failures) == ("fail", 1)

    @pytest.fixture(scope="class")
    def tested(self, project: TestProjInfo) -> Run:
        dbt(project, "run")
        return dbt(project, "test", "--no-use-colors")


@pytest.mark.embedded("the session is a new one of the process's Spark")
@pytest.mark.parametrize("header", [f"reset {OWN_CONF}", "reset", f"set {OWN_CONF} = 9; reset"])
def test_a_conf_that_the_header_resets_is_put_back(spark: SparkSession, header: str) -> None:
    session = spark.newSession()
    session.conf.set(OWN_CONF, "1000")
    with headers.headed(session, header):
        assert session.conf.get(OWN_CONF) != "1000"
    assert session.conf.get(OWN_CONF) == "1000"
