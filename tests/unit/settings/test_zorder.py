"""Columns that OPTIMIZE orders by, beside the clustering and the partitions of the table."""

from __future__ import annotations

from typing import Any

import pytest
from models import incremental, spec

from dbt.adapters.deltaspark.settings.model import read_table

ORDERED = {"zorder": ["id", "Day"], "optimize": {"after_runs": 1}}


@pytest.mark.parametrize(
    ("key", "value"), [("liquid_clustered_by", "id"), ("auto_liquid_cluster", True)]
)
def test_a_clustered_table_is_optimized_without_zorder(key: str, value: Any) -> None:
    model = incremental(**ORDERED, **{key: value})
    assert model.table.upkeep is not None
    assert model.table.upkeep.zorder == ()
    assert model.warnings == (
        f"zorder has no effect with {key}: Delta refuses ZORDER BY of a clustered table",
    )
    assert model.problems == ()


def test_zorder_stays_where_nothing_is_clustered() -> None:
    model = incremental(**ORDERED, auto_liquid_cluster="false", partition_by="month")
    assert model.table.upkeep is not None
    assert model.table.upkeep.zorder == ("id", "Day")
    assert (model.warnings, model.problems) == ((), ())


def test_zorder_of_a_partition_column_is_a_problem() -> None:
    assert read_table(spec({**ORDERED, "partition_by": ["day"]})).problems == (
        "zorder names 'Day', a column of partition_by: each file has one value of it already; leave"
        " it out of zorder",
    )


@pytest.mark.parametrize(
    "idle",
    [{"optimize": None}, {"skip_optimize": True}, {"file_format": "parquet"}],
    ids=str,
)
def test_zorder_that_never_runs_is_no_problem(idle: dict[str, Any]) -> None:
    assert read_table(spec({**ORDERED, "partition_by": "day", **idle})).problems == ()
