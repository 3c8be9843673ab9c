"""Keys of a contract's `char(n)`, which the table holds with blanks at the end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from runs import Run, dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

CONTRACT = "config: {contract: {enforced: true}}"
INCREMENTAL = "materialized='incremental', on_schema_change='append_new_columns'"
KEYED = {
    "merge": "unique_key='code'",
    "merge_if": "unique_key='code', matched_condition=\"DBT_INTERNAL_SOURCE.code = 'a'\"",
    "insert_only": "incremental_strategy='insert_only', unique_key='code'",
    "delete_insert": "incremental_strategy='delete+insert', unique_key='code'",
    "replace_where": "incremental_strategy='replace_where',"
    " incremental_predicates=[\"code = 'a'\"]",
    "insert_overwrite": "incremental_strategy='insert_overwrite', partition_by='code'",
    "replace_on": "incremental_strategy='insert_overwrite', replace_on='code'",
    "scd2": "incremental_strategy='scd2', unique_key='code', scd2_check_columns=['n']",
}
WITHOUT_MERGE = ("insert_overwrite", "replace_where")
in_the_process = pytest.mark.skipif(
    "REMOTE" in os.environ, reason="Delta's MERGE cannot; engine/remote/remote_chars.py has it"
)
KEPT = (
    "{% snapshot kept %}{{ config(unique_key='code', strategy='check', check_cols=['n'],"
    " contract={'enforced': true}, hard_deletes='invalidate') }}"
    " select rpad(code, 3 * {{ var('n', 1) }}, ' ') as code, {{ var('n', 1) }} as n"
    " from values ('a'), ('b') as t(code)"
    "{% if var('n', 1) > 1 %} where code = 'a'{% endif %}{% endsnapshot %}"
)
CHAR_KEY = "[{name: code, data_type: char(2)}, {name: n, data_type: int}]"


class TestKeysThatArePadded:
    """The later runs read the key `char(2)` of the table that the first one made, each text with
    other blanks at its end, and more than it has room for.
    """

    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        rows_of_it = (
            "select rpad(code, 3 * {{ var('n', 1) }}, ' ') as code, {{ var('n', 1) }} as n"
            " from values ('a'), ('b') as t(code)"
            "{% if is_incremental() %} where code = 'a'{% endif %}"
        )
        contracts = [f"- {{name: {name}, {CONTRACT}, columns: {CHAR_KEY}}}" for name in KEYED]
        return {
            **{
                f"{name}.sql": f"{{{{ config({INCREMENTAL}, {config}) }}}} {rows_of_it}"
                for name, config in KEYED.items()
            },
            "contracts.yml": "\n".join(["models:", *contracts]),
        }

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        contract = f"snapshots: [{{name: kept, columns: {CHAR_KEY}}}]"
        return {"kept.sql": KEPT, "kept.yml": contract}

    @pytest.fixture(scope="class")
    def again(self, project: TestProjInfo) -> Run:
        dbt(project, "build")
        dbt(project, "build", "--vars", "{n: 2}")
        return dbt(project, "build", "--vars", "{n: 2}")

    @in_the_process
    @pytest.mark.parametrize("name", sorted({*KEYED} - {"scd2", "insert_only", *WITHOUT_MERGE}))
    def test_a_row_is_replaced_by_its_key(
        self, project: TestProjInfo, again: Run, name: str
    ) -> None:
        check_replaced(project, again, name)

    @pytest.mark.parametrize("name", WITHOUT_MERGE)
    def test_rows_are_replaced_by_the_key_of_their_filter_or_partition(
        self, project: TestProjInfo, again: Run, name: str
    ) -> None:
        check_replaced(project, again, name)

    @in_the_process
    def test_a_row_that_is_there_is_not_inserted_again(
        self, project: TestProjInfo, again: Run
    ) -> None:
        assert again.status("insert_only") == "success", again.message("insert_only")
        found = rows(project, "select code, n from {schema}.insert_only order by code")
        assert found == [("a ", 1), ("b ", 1)]

    @in_the_process
    def test_a_version_follows_on_that_of_its_key(self, project: TestProjInfo, again: Run) -> None:
        assert again.status("scd2") == "success", again.message("scd2")
        columns = "code, n, is_current"
        found = rows(project, f"select {columns} from {{schema}}.scd2 order by code, n")
        assert found == [("a ", 1, False), ("a ", 2, True), ("b ", 1, True)]

    @in_the_process
    def test_a_snapshot_closes_what_has_changed_or_is_gone(
        self, project: TestProjInfo, again: Run
    ) -> None:
        assert again.status("kept") == "success", again.message("kept")
        columns = "code, n, dbt_valid_to is null"
        found = rows(project, f"select {columns} from {{schema}}.kept order by code, n")
        assert found == [("a ", 1, False), ("a ", 2, True), ("b ", 1, False)]


def check_replaced(project: TestProjInfo, again: Run, name: str) -> None:
    assert again.status(name) == "success", again.message(name)
    found = rows(project, f"select code, n from {{schema}}.{name} order by code")
    assert found == [("a ", 2), ("b ", 1)]
