"""Queries compared as audit_helper does, with the macros that dispatch finds for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from local_package import install
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# It dispatches as audit_helper does, with the same names and arguments.
MACROS = """
{% macro _count_num_rows_in_status() %}
  {{ return(adapter.dispatch('_count_num_rows_in_status', 'audit_helper')()) }}
{% endmacro %}

{% macro default___count_num_rows_in_status() %}
  count(distinct dbt_audit_surrogate_key, dbt_audit_pk_row_num) over (partition by dbt_audit_row_status)
{% endmacro %}

{% macro quick_are_queries_identical(query_a, query_b, columns=[], event_time=None) %}
  {{ return(adapter.dispatch('quick_are_queries_identical', 'audit_helper')(query_a, query_b, columns, event_time)) }}
{% endmacro %}

{% macro default__quick_are_queries_identical(query_a, query_b, columns, event_time) %}
  {% do exceptions.raise_compiler_error('not implemented') if execute %}
{% endmacro %}

{% macro _get_comparison_bounds(query_a, query_b, event_time) %}
  {{ return({'event_time': event_time, 'min_event_time': 2, 'max_event_time': 3}) }}
{% endmacro %}

{% macro event_time_filter(bounds) %}
  {% if bounds %}
  where {{ bounds.event_time }} between {{ bounds.min_event_time }} and {{ bounds.max_event_time }}
  {% endif %}
{% endmacro %}
"""  # noqa: E501
STATUSES = """
select dbt_audit_row_status as status, {{ audit_helper._count_num_rows_in_status() }} as n
from values ('added', 'x', 1), ('added', 'x', 1), ('added', 'x', 2), ('added', 'y', 1), ('same', 'x', 1)
  as t(dbt_audit_row_status, dbt_audit_surrogate_key, dbt_audit_pk_row_num)
"""  # noqa: E501


def compared(a: str, b: str, event_time: str | None = None) -> str:
    """A model with one column, are_tables_identical."""
    queries = ", ".join(f'"select * from values {each} as t(id, v)"' for each in (a, b))
    time = f"'{event_time}'" if event_time else "none"
    return f"{{{{ audit_helper.quick_are_queries_identical({queries}, ['id', 'v'], {time}) }}}}"


class TestAuditHelper:
    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "audit_helper"}]}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        order = ["test", "dbt", "audit_helper"]
        return {
            "dispatch": [{"macro_namespace": "audit_helper", "search_order": order}],
            "models": {"+materialized": "table"},
        }

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            "statuses.sql": STATUSES,
            "in_another_order.sql": compared("(1, 'a'), (2, null)", "(2, null), (1, 'a')"),
            "one_value_differs.sql": compared("(1, 'a'), (2, null)", "(1, 'a'), (2, 'b')"),
            "one_row_comes_twice.sql": compared("(1, 'a')", "(1, 'a'), (1, 'a')"),
            "two_pairs.sql": compared("(1, 'a'), (1, 'a')", "(2, 'b'), (2, 'b')"),
            "same_in_the_bounds.sql": compared("(1, 'a'), (2, 'b')", "(2, 'b'), (9, 'c')", "id"),
        }

    @pytest.fixture(scope="class", autouse=True)
    def run(self, project: TestProjInfo) -> None:
        install(project, "audit_helper", MACROS)
        dbt(project, "run")

    def test_the_rows_of_a_status_are_counted_once_each(self, project: TestProjInfo) -> None:
        found = rows(project, "select distinct status, n from {schema}.statuses order by status")
        assert found == [("added", 3), ("same", 1)]

    @pytest.mark.parametrize(
        ("model", "identical"),
        [
            ("in_another_order", True),
            ("one_value_differs", False),
            ("one_row_comes_twice", False),
            ("two_pairs", False),
            ("same_in_the_bounds", True),
        ],
    )
    def test_queries_are_identical_when_their_rows_are(
        self, project: TestProjInfo, model: str, identical: bool
    ) -> None:
        found = rows(project, f"select are_tables_identical from {{schema}}.{model}")
        assert found == [(identical,)]
