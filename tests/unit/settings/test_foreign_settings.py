"""What a project has for other platforms: told, and what a strict profile makes of it."""

from __future__ import annotations

from typing import Any

import pytest
from models import incremental, spec

from dbt.adapters.deltaspark.settings.macros_not_run import warning_of_prefix, warnings_of_macros
from dbt.adapters.deltaspark.settings.model import read_incremental, read_table
from dbt.adapters.deltaspark.settings.problems import early_problems


def test_keys_of_other_platforms_are_told_apart() -> None:
    model = incremental(row_filter="f", http_path="/sql")
    assert model.foreign == (
        "row_filter is not done: it needs Unity Catalog",
        "http_path is not done: it chooses a Databricks warehouse",
    )
    assert model.warnings == ()


def test_a_macro_for_another_adapter_is_told_and_is_no_problem_of_a_strict_profile() -> None:
    facts = {"custom_strategies": [], "macros_not_run": ["not run"]}
    node = spec({"unique_key": "id"}, **facts)
    for model in (read_incremental(node), read_table(node)):
        assert (model.not_run, model.foreign) == (("not run",), ())
    assert early_problems(node, strict=True) == []


@pytest.mark.parametrize(
    ("kind", "name", "told"),
    [
        ("table", "spark__location_clause", "tables by itself; the config location_root says what"),
        ("incremental", "databricks__create_table_as", "tables by itself; a hook, or a materializ"),
        ("incremental", "databricks__get_merge_sql", "by itself; a macro get_incremental_<name>"),
        ("incremental", "get_insert_into_sql", "by itself; a macro get_incremental_<name>_sql is"),
        ("seed", "load_csv_rows", "tables by itself; a hook"),
        ("seed", "default__persist_docs", "tables by itself; the config persist_docs says"),
        ("snapshot", "spark__snapshot_merge_sql", "tables by itself; a hook"),
        ("view", "databricks__create_view_as", "views by itself; rename it to spark__create_view"),
    ],
)
def test_a_macro_that_another_adapter_would_run_is_told(kind: str, name: str, told: str) -> None:
    own = frozenset([name, "cents_to_dollars"])
    (warning,) = warnings_of_macros(kind, own)
    assert warning.startswith(f"the project's macro {name} is not run: the adapter writes {told}")
    assert [*warnings_of_macros("function", own)] == []
    assert warning_of_prefix(own) is None


@pytest.mark.parametrize("kind", ["table", "view", "snapshot"])
def test_a_materialization_of_another_adapter_is_told(kind: str) -> None:
    own = {f"materialization_{kind}_spark", "materialization_other_spark"}
    (warning,) = warnings_of_macros(kind, own)
    assert f"materialization {kind!r} of adapter 'spark' is not run" in warning


def test_macros_of_databricks_that_dispatch_never_finds_are_told_together() -> None:
    own = {"databricks__b", "databricks__a", "databricks__c", "spark__c", "default__a"}
    assert warning_of_prefix(frozenset(own)) == (
        "the project's macros databricks__a, databricks__b are never found: dispatch looks for"
        " deltaspark__, spark__ and default__. Rename them, or let another macro lead to them, as"
        " in {% macro spark__a() %}{{ return(databricks__a(*varargs, **kwargs)) }}{% endmacro %}"
    )
    assert warning_of_prefix(frozenset(["databricks__c", "deltaspark__c"])) is None
    alone = warning_of_prefix(frozenset(["databricks__c"]))
    assert alone is not None
    assert "the project's macro databricks__c is never found" in alone


def test_persist_constraints_is_told_where_no_contract_is_enforced() -> None:
    told = "persist_constraints is not done: only an enforced contract has the constraints"
    assert incremental(persist_constraints=True).foreign == (told,)
    enforced = {"enforced": True}
    assert incremental(persist_constraints=True, contract=enforced).foreign == ()


@pytest.mark.parametrize(
    "config",
    [{"table_format": "default"}, {"table_format": "DEFAULT"}, {"skip_optimize": True}],
    ids=str,
)
def test_nothing_is_told_of_what_holds(config: dict[str, Any]) -> None:
    model = incremental(**config)
    assert (model.foreign, model.warnings, model.problems) == ((), (), ())


@pytest.mark.parametrize(("skips", "runs"), [(True, False), ("false", True), (None, True)])
def test_skip_optimize_takes_the_effect_from_optimize(skips: Any, runs: bool) -> None:
    config = {"skip_optimize": skips, "optimize": {"after_runs": 1}, "zorder": "id"}
    model = incremental(**config)
    assert (model.table.upkeep is not None) is runs
    assert model.warnings == ()
    assert incremental(skip_optimize=True, zorder="id").warnings == ()


def test_a_table_of_any_format_is_made_without_buckets() -> None:
    config = {"clustered_by": ["id"], "buckets": 4, "incremental_strategy": "append"}
    told = tuple(f"{key} is not done: a table is made without buckets" for key in [*config][:2])
    assert incremental(**config).foreign == told
    assert incremental(**config, file_format="parquet").foreign == told


@pytest.mark.parametrize("key", ["access_control_list", "notebook_access_control_list"])
def test_who_may_see_a_run_of_a_platform_is_told(key: str) -> None:
    told = f"{key} is not done: everything runs in the session of the profile"
    assert incremental(**{key: [{"user_name": "a@b.c"}]}).foreign == (told,)


PROPERTIES = {
    "delta.targetFileSize": "64mb",
    "Delta.TuneFileSizesForRewrites": True,
    "delta.workloadBasedColumns.optimizerStatistics": "`id`",
    "delta.enableChangeDataFeed": True,
    "team": "x",
}


def test_properties_that_only_databricks_reads_are_told_and_left_out() -> None:
    model = incremental(tblproperties=PROPERTIES)
    told = [each.partition(" is not done: ")[0] for each in model.foreign]
    assert told == [f"the table property {name!r}" for name in [*PROPERTIES][:3]]
    assert model.table.properties == (("delta.enableChangeDataFeed", "true"), ("team", "x"))


def test_a_strict_profile_refuses_a_property_of_databricks() -> None:
    node = spec({"tblproperties": {"delta.targetFileSize": "64mb"}})
    (problem,) = early_problems(node, strict=True)
    assert problem.startswith("the table property 'delta.targetFileSize' is not done: ")
    assert early_problems(node, strict=False) == []


def test_where_delta_takes_any_property_it_has_those_of_databricks() -> None:
    model = read_table(spec({"tblproperties": PROPERTIES}, any_property=True))
    assert model.foreign == ()
    assert [name for name, _ in model.table.properties] == [*PROPERTIES]
