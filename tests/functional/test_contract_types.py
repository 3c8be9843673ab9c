"""Contracts whose types are spelt as dbt-databricks' users spell them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from runs import dbt, rows

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

TYPES = {
    "l": ("LONG", "cast(1 as bigint)", "bigint"),
    "i": ("INTEGER", "1", "int"),
    "d": ("DECIMAL", "cast(1 as decimal(10,2))", "decimal(10,2)"),
    "s": ("struct<a: int>", "named_struct('a', 1)", "struct<a:int>"),
    "m": ("MAP<STRING, array<INTEGER>>", "map('k', array(1))", "map<string,array<int>>"),
}
SELECTED = ", ".join(f"{value} as {name}" for name, (_, value, _) in TYPES.items())
COLUMNS = ", ".join(f"{{name: {n}, data_type: '{told}'}}" for n, (told, _, _) in TYPES.items())
CONTRACT = "config: {contract: {enforced: true}}"
MADE = ("made", "seen", "merged")


class TestContractTypes:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        merged = "materialized='incremental', unique_key='l', on_schema_change='append_new_columns'"
        held = [f"- {{name: {name}, {CONTRACT}, columns: [{COLUMNS}]}}" for name in MADE]
        broken = f"- {{name: other, {CONTRACT}, columns: [{{name: n, data_type: LONG}}]}}"
        untyped = broken.replace("other", "untyped").replace("LONG", "'decimal(10,2)'")
        return {
            "made.sql": "{{ config(materialized='table') }} select " + SELECTED,
            "seen.sql": "select " + SELECTED,
            "merged.sql": f"{{{{ config({merged}) }}}} select {SELECTED}",
            "other.sql": "{{ config(materialized='table') }} select 1 as n",
            "untyped.sql": "{{ config(materialized='table') }} select null as n",
            "contracts.yml": "\n".join(["models:", *held, broken, untyped]),
        }

    def test_they_are_the_types_that_spark_has(self, project: TestProjInfo) -> None:
        for _ in range(2):
            run = dbt(project, "run", "--exclude", "other", "untyped")
            assert [run.message(name) for name in MADE if run.status(name) != "success"] == []
        for name in MADE:
            described = rows(project, f"describe {{schema}}.{name}")[: len(TYPES)]
            assert [each[1] for each in described] == [kind for _, _, kind in TYPES.values()]

    def test_another_type_breaks_the_contract(self, project: TestProjInfo) -> None:
        run = dbt(project, "run", "--select", "other")
        assert run.status("other") == "error"
        assert "data type mismatch" in run.message("other")

    def test_a_null_without_a_type_is_told_with_the_cast_to_write(
        self, project: TestProjInfo
    ) -> None:
        run = dbt(project, "run", "--select", "untyped")
        assert run.status("untyped") == "error"
        assert "| void: cast(null as decimal(10,2)) | decimal(10,2) |" in run.message("untyped")
