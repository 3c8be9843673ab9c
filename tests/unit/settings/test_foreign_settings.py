"""What a project has for other platforms: told, and what a strict profile makes of it."""

from __future__ import annotations

from models import incremental, spec

from dbt.adapters.deltaspark.settings.model import read_incremental
from dbt.adapters.deltaspark.settings.problems import early_problems


def test_keys_of_other_platforms_are_told_apart() -> None:
    model = incremental(row_filter="f", http_path="/sql")
    assert model.foreign == (
        "row_filter is not done: it needs Unity Catalog",
        "http_path is not done: it chooses a Databricks warehouse",
    )
    assert model.warnings == ()


def test_a_macro_for_another_adapter_is_told_and_is_no_problem_of_a_strict_profile() -> None:
    facts = {"custom_strategies": [], "macros_not_run": ["databricks__get_merge_sql"]}
    node = spec({"unique_key": "id"}, **facts)
    model = read_incremental(node)
    (told,) = model.not_run
    assert "macro databricks__get_merge_sql is not run" in told
    assert (model.foreign, early_problems(node, strict=True)) == ((), [])


def test_persist_constraints_is_told_where_no_contract_is_enforced() -> None:
    told = "persist_constraints is not done: only an enforced contract has the constraints"
    assert incremental(persist_constraints=True).foreign == (told,)
    enforced = {"enforced": True}
    assert incremental(persist_constraints=True, contract=enforced).foreign == ()
