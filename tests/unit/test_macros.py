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
}
"""What dbt_utils, dbt_profiler, audit_helper, dbt_expectations and elementary dispatch."""
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


@pytest.mark.parametrize("name", BLOCKS)
def test_macros_call_only_what_the_adapter_offers(name: str) -> None:
    called = set(re.findall(r"adapter\.(\w+)\(", BLOCKS[name]))
    assert called - DeltaSparkAdapter._available_ == set()


@pytest.mark.parametrize("name", OVERRIDES)
def test_an_override_is_of_a_macro_that_is_dispatched(name: str) -> None:
    assert name in dispatched()
