"""Texts matched as dbt_expectations does, with the macro that dispatch finds for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from local_package import install
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

# It dispatches as dbt_expectations does, with the same names and arguments.
MACROS = """
{% macro regexp_instr(source_value, regexp, position=1, occurrence=1, is_raw=False, flags="") %}
  {{ return(adapter.dispatch('regexp_instr', 'dbt_expectations')(
    source_value, regexp, position, occurrence, is_raw, flags)) }}
{% endmacro %}

{% macro spark__regexp_instr(source_value, regexp, position, occurrence, is_raw, flags) %}
  length(regexp_extract({{ source_value }}, '{{ regexp }}', 0))
{% endmacro %}
"""
MATCHED = """
select name, {{ dbt_expectations.regexp_instr('name', '[a-z]{3}') }} > 0 as plain,
  {{ dbt_expectations.regexp_instr('name', '[a-z]{3}', flags='i') }} > 0 as in_any_case,
  {{ dbt_expectations.regexp_instr('name', '^\\\\d{3}$', is_raw=True) }} > 0 as raw
from values ('abc'), ('ABC'), ('123'), (null) as t(name)
"""


class TestDbtExpectations:
    @pytest.fixture(scope="class")
    def packages(self) -> dict[str, Any]:
        return {"packages": [{"local": "dbt_expectations"}]}

    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        order = ["test", "dbt", "dbt_expectations"]
        return {"dispatch": [{"macro_namespace": "dbt_expectations", "search_order": order}]}

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {"matched.sql": "{{ config(materialized='table') }}" + MATCHED}

    def test_flags_and_raw_texts_count(self, project: TestProjInfo) -> None:
        install(project, "dbt_expectations", MACROS)
        dbt(project, "run")
        found = "select * from {schema}.matched order by name nulls last"
        assert rows(project, found) == [
            ("123", False, False, True),
            ("ABC", False, True, False),
            ("abc", True, True, False),
            (None, None, None, None),
        ]
