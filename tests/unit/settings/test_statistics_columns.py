"""delta.dataSkippingStatsColumns beside columns that a later run adds or drops."""

from __future__ import annotations

import pytest
from models import columns
from models import problems as problems_of_later_run

from dbt.adapters.deltaspark.settings.schema_change import SchemaChange
from dbt.adapters.deltaspark.settings.statistics_columns import problems_of_statistics
from dbt.adapters.deltaspark.settings.table import TableConfig

CHANGE = SchemaChange(added=("Late", "a.b"), removed=("gone",), nested_added=("address.zip",))


def problems(named: str, mode: str = "sync_all_columns") -> list[str]:
    table = TableConfig(properties=(("delta.dataskippingSTATScolumns", named),))
    return [*problems_of_statistics(table, mode, CHANGE)]


@pytest.mark.parametrize("name", ["late", "`Late`", "late.part", "address.zip", "`a.b`"])
def test_what_the_run_adds_cannot_be_named_before_it(name: str) -> None:
    assert problems(f"id, {name}") == [
        f"delta.dataSkippingStatsColumns (tblproperties) names {name!r}, which the table does not"
        " have yet: run the model once without it, or with --full-refresh"
    ]


def test_what_the_run_drops_is_to_be_left_out() -> None:
    (problem,) = problems("id,GONE.part")
    assert "'GONE.part', which on_schema_change 'sync_all_columns' drops: leave it out" in problem
    assert problems("id,gone", "append_new_columns") == []


def test_what_is_there_and_stays_is_no_problem() -> None:
    assert problems("id, address.city, `x,y`") == []
    assert problems(" ") == []


@pytest.mark.parametrize(("applies", "count"), [(True, 1), (False, 0)])
def test_a_later_run_is_told_where_it_sets_the_property(applies: bool, count: int) -> None:
    config = {
        "unique_key": "id",
        "on_schema_change": "append_new_columns",
        "tblproperties": {"delta.dataSkippingStatsColumns": "id,late"},
        "incremental_apply_config_changes": applies,
    }
    late = columns(id="bigint", amount="int", day="date", late="int")
    assert len(problems_of_later_run(config, late)) == count
