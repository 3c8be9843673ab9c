"""Unit tests: Spark's types, and merged tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo


EVERY_TYPE = """
unit_tests:
  - name: odd_texts_come_through
    model: passes_on
    given:
      - input: ref('typed')
        rows:
          - {id: 1, text: "it's a \\\\ and a % and {x}", at: 2026-01-02 03:04:05}
          - {text: "", id: 2}
          - {id: 3, text: null}
    expect:
      rows:
          - {at: 2026-01-02 03:04:05, text: "it's a \\\\ and a % and {x}", id: 1}
          - {id: 2, text: "", at: null}
          - {id: 3, text: null, at: null}
  - name: other_rows_are_a_difference
    model: passes_on
    given: [{input: ref('typed'), rows: [{id: 1, text: here}]}]
    expect: {rows: [{id: 1, text: there}]}
  - name: a_value_of_another_type
    model: passes_on
    given: [{input: ref('typed'), rows: [{id: one}]}]
    expect: {rows: [{id: 1}]}
  - name: rows_with_other_columns
    model: passes_on
    given: [{input: ref('typed'), rows: [{id: 1}]}]
    expect: {rows: [{id: 1, text: null}, {id: 2, at: null}]}
"""


class TestFixtures:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "typed.sql": "{{ config(materialized='table') }}"
            " select 1 as id, 'x' as text, timestamp'2026-01-01 00:00:00' as at,"
            " named_struct('user-id', 1, 'b', array(named_struct('@c', 'x'))) as odd_names",
            "passes_on.sql": "select * from {{ ref('typed') }}",
            "unit_tests.yml": EVERY_TYPE,
        }

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Any:
        dbt(project, "run", "--select", "typed")
        return dbt(project, "test", "--no-use-colors")

    def test_texts_and_orders_of_columns_come_through(self, run: Any) -> None:
        assert run.status("odd_texts_come_through") == "pass"

    def test_a_test_is_one_statement_for_its_columns_and_one_for_its_rows(self, run: Any) -> None:
        assert len(run.statements_of("odd_texts_come_through")) == 2

    def test_a_difference_is_shown(self, run: Any) -> None:
        assert run.status("other_rows_are_a_difference") == "fail"
        assert "there→here" in run.message("other_rows_are_a_difference")

    def test_a_value_of_another_type_is_an_error_and_not_null(self, run: Any) -> None:
        assert run.status("a_value_of_another_type") == "error"
        message = run.message("a_value_of_another_type")
        assert 'The value \'one\' of the type "STRING" cannot be cast to "INT"' in message

    def test_expected_rows_with_other_columns_are_an_error(self, run: Any) -> None:
        assert run.status("rows_with_other_columns") == "error"
        assert "the first has id, text, another has id, at" in run.message(
            "rows_with_other_columns"
        )


ORDERS = """
{{ config(materialized='incremental', unique_key='id', merge_exclude_columns=['first_seen'],
          on_schema_change='append_new_columns', location_root=var('root'),
          idempotency_key='once') }}
select id, amount, current_date() as first_seen{{ ", 'new' as note" if is_incremental() }}
from {{ ref('incoming') }}
{% if is_incremental() %}where id > (select min(id) from {{ this }}){% endif %}
"""
MERGED = """
unit_tests:
  - name: a_later_order_replaces_the_old_one
    model: orders
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: true}}
    given:
      - input: ref('incoming')
        rows: [{id: 1, amount: 9.99}, {id: 2, amount: 2.50}, {id: 3, amount: 3}]
      - input: this
        rows: [{id: 1, amount: 1}, {id: 2, amount: 2}]
    expect:
      rows:
        - {id: 1, amount: 1, note: null}
        - {id: 2, amount: 2.50, note: new}
        - {id: 3, amount: 3, note: new}
  - name: what_is_excluded_stays
    model: orders
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: true}}
    given:
      - {input: ref('incoming'), rows: [{id: 2, amount: 2.50}]}
      - input: this
        format: sql
        rows: select 1 as id, cast(1 as decimal(10, 2)) as amount, date'2026-01-01' as first_seen
          union all select 2, 2, date'2026-01-02'
    expect: {rows: [{id: 1, first_seen: 2026-01-01}, {id: 2, first_seen: 2026-01-02}]}
  - name: without_a_table_it_is_the_first_run
    model: orders
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: false}}
    given: [{input: ref('incoming'), rows: [{id: 1, amount: 9.99}]}]
    expect: {rows: [{id: 1, amount: 9.99}]}
  - name: the_query_alone
    model: orders
    overrides: {macros: {is_incremental: true}}
    given:
      - {input: ref('incoming'), rows: [{id: 2, amount: 2.50}]}
      - {input: this, rows: [{id: 1}]}
    expect: {rows: [{id: 2, amount: 2.50}]}
  - name: a_difference_in_the_table
    model: orders
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: true}}
    given:
      - {input: ref('incoming'), rows: []}
      - {input: this, rows: [{id: 1, amount: 1}]}
    expect: {rows: [{id: 1, amount: 5}]}
  - name: a_run_that_fails
    model: orders
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: true}}
    given:
      - {input: ref('incoming'), rows: [{id: 2, amount: 1}, {id: 2, amount: 2}]}
      - {input: this, rows: [{id: 1}, {id: 2}]}
    expect: {rows: [{id: 1}]}
  - name: of_a_table
    model: incoming
    config: {meta: {expect: merged_table}}
    given: []
    expect: {rows: [{id: 1}]}
  - name: of_something_else
    model: incoming
    config: {meta: {expect: merged_tables}}
    given: []
    expect: {rows: [{id: 1}]}
"""


class TestMergedTables:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "incoming.sql": "{{ config(materialized='table') }}"
            " select 0 as id, cast(0 as decimal(10, 2)) as amount",
            "orders.sql": ORDERS,
            "unit_tests.yml": MERGED,
        }

    @pytest.fixture(scope="class")
    def project_config_update(self, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
        return {"vars": {"root": str(tmp_path_factory.mktemp("root"))}}

    @pytest.fixture(scope="class")
    def run(self, project: TestProjInfo) -> Any:
        dbt(project, "run")
        return dbt(project, "test", "--no-use-colors")

    @pytest.mark.parametrize(
        "name",
        [
            "a_later_order_replaces_the_old_one",
            "what_is_excluded_stays",
            "without_a_table_it_is_the_first_run",
            "the_query_alone",
        ],
    )
    def test_what_is_expected_is_found(self, run: Any, name: str) -> None:
        assert run.results[name].message is None
        assert run.status(name) == "pass"

    def test_the_run_is_the_models_own_merge(self, run: Any) -> None:
        statements = run.statements_of("a_later_order_replaces_the_old_one")
        assert [text for text in statements if "-- MERGE" in text and "dbt_unit_" in text] != []

    def test_a_difference_is_shown(self, run: Any) -> None:
        assert run.status("a_difference_in_the_table") == "fail"
        assert "5.00→1.00" in run.message("a_difference_in_the_table")

    def test_an_error_of_the_run_is_the_tests(self, run: Any) -> None:
        assert run.status("a_run_that_fails") == "error"
        assert "unit test 'a_run_that_fails'" in run.message("a_run_that_fails")

    def test_no_table_is_left_behind(self, project: TestProjInfo, run: Any) -> None:
        names = [name for _, name, _ in rows(project, "show tables in {schema}")]
        assert sorted(names) == ["incoming", "orders"]

    def test_the_models_own_table_is_not_touched(self, project: TestProjInfo, run: Any) -> None:
        assert rows(project, "select id from {schema}.orders") == [(0,)]

    def test_only_an_incremental_model_is_merged(self, run: Any) -> None:
        assert run.status("of_a_table") == "error"
        assert "needs a model that is incremental, and 'incoming' is table" in run.message(
            "of_a_table"
        )

    def test_another_expectation_is_an_error_with_the_nearest(self, run: Any) -> None:
        assert run.status("of_something_else") == "error"
        message = run.message("of_something_else")
        assert "'merged_tables', which is not known; did you mean 'merged_table'?" in message


FIRST = """
unit_tests:
  - name: the_first_one_wins
    model: early
    config: {meta: {expect: merged_table}}
    overrides: {macros: {is_incremental: true}}
    given:
      - {input: ref('incoming'), format: sql, rows: "select 1 as id, 'new' as v"}
      - {input: this, format: sql, rows: "select 1 as id, 'old' as v"}
    expect: {rows: [{id: 1, v: old}]}
"""


class TestBeforeTheFirstBuild:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        early = "materialized='incremental', incremental_strategy='insert_only', unique_key='id'"
        return {
            "incoming.sql": "select 0 as id, 'none' as v",
            "early.sql": f"{{{{ config({early}, schema='early') }}}}"
            " select * from {{ ref('incoming') }}"
            " {% if is_incremental() %} where id not in (select 0 from {{ this }}) {% endif %}",
            "unit_tests.yml": FIRST,
        }

    def test_a_merged_table_leaves_the_models_schema_behind_and_no_table(
        self, project: TestProjInfo
    ) -> None:
        run = dbt(project, "test")
        assert run.status("the_first_one_wins") == "pass", run.message("the_first_one_wins")
        assert rows(project, "show tables in {schema}_early") == []
        project.run_sql(f"drop schema {project.test_schema}_early")
