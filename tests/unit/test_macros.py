"""The Jinja: short, and calling only what is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from dbt.adapters.spark import Plugin as Spark
from dbt.include.global_project import PACKAGE_PATH

from dbt.adapters.deltaspark.impl import DeltaSparkAdapter

MACROS = Path(__file__).parents[2] / "macros"
BY_COMPUTED_NAME = {
    "table_function_sql",
    "scalar_function_python",
    "scalar_function_javascript",
    "aggregate_function_python",
    "aggregate_function_sql",
}
"""What dbt-core dispatches without writing the name out."""
OF_PACKAGES = {
    "get_tables_by_pattern_sql",
    "deduplicate",
    "is_numeric_dtype",
    "_count_num_rows_in_status",
    "quick_are_queries_identical",
    "regexp_instr",
    "get_stale_test_tables",
    "full_name_split",
}
"""What dbt_utils, dbt_profiler, audit_helper, dbt_expectations and elementary dispatch."""
FOR_PROJECTS = {
    "run_hooks",
    "run_pre_hooks",
    "run_post_hooks",
    "optimize",
    "liquid_clustered_cols",
    "databricks_copy_into",
}
"""What projects call, or call with other adapters."""
OF_DBT = {
    "build_ref_function",
    "format_row",
    "get_column_schema_from_query",
    "get_insert_into_sql",
    "snapshot_check_strategy",
    "snapshot_timestamp_strategy",
}
"""dbt-core's or dbt-spark's own, which it calls without dispatching."""
BLOCK = re.compile(r"{%-? *(macro|materialization) (\w+).*?{%-? *end\1", re.DOTALL)
BLOCKS = {
    f"{path.stem}.{found.group(2)}": found.group(0)
    for path in sorted(MACROS.rglob("*.sql"))
    for found in BLOCK.finditer(path.read_text())
}
OVERRIDES = [name.partition("__")[2] for name in BLOCKS if ".deltaspark__" in name]


def dispatched() -> set[str]:
    """Every name that dbt or dbt-spark dispatches."""
    files = [
        path for root in (PACKAGE_PATH, Spark.include_path) for path in Path(root).rglob("*.sql")
    ]
    found = (re.findall(r"adapter\.dispatch\(\s*'(\w+)'", path.read_text()) for path in files)
    return {name for names in found for name in names} | BY_COMPUTED_NAME | OF_PACKAGES


@pytest.mark.parametrize("name", BLOCKS)
def test_a_macro_fits_in_25_lines(name: str) -> None:
    assert len(BLOCKS[name].splitlines()) <= 25


def test_no_macro_of_a_project_takes_the_place_of_a_helper() -> None:
    """dbt looks for a macro in the project first, also where a macro of the adapter calls it."""
    found = re.findall(r"{%-? *macro (\w+)", "".join(BLOCKS.values()))
    plain = {name for name in found if not name.startswith("deltaspark_")}
    assert plain == FOR_PROJECTS | OF_DBT


def test_each_helper_that_is_called_is_there() -> None:
    text = "\n".join(path.read_text() for path in MACROS.rglob("*.sql"))
    called = set(re.findall(r"\b(deltaspark_[a-z]\w+)\(", text))
    assert called == set(re.findall(r"macro (deltaspark_[a-z]\w+)\(", text))


@pytest.mark.parametrize("name", BLOCKS)
def test_macros_call_only_what_the_adapter_offers(name: str) -> None:
    called = set(re.findall(r"adapter\.(\w+)\(", BLOCKS[name]))
    assert called - DeltaSparkAdapter._available_ == set()


@pytest.mark.parametrize("name", OVERRIDES)
def test_an_override_is_of_a_macro_that_is_dispatched(name: str) -> None:
    assert name in dispatched()
