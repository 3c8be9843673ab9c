"""Config keys that nobody knows, and what was meant by them."""

from __future__ import annotations

from typing import Any

import pytest
from models import incremental, spec

from dbt.adapters.deltaspark.materialize.tables import ModelConfigError, check
from dbt.adapters.deltaspark.settings import early_problems, read_table


@pytest.mark.parametrize(
    ("misspelt", "meant"),
    [
        ("materialised", "materialized"),
        ("full_refesh", "full_refresh"),
        ("post_hok", "post_hook"),
        ("evnt_time", "event_time"),
        ("tag", "tags"),
        ("tblpropertys", "tblproperties"),
    ],
)
def test_a_misspelt_key_of_ours_or_of_dbts_is_told(misspelt: str, meant: str) -> None:
    (told,) = read_table(spec({misspelt: "x"})).misspelt
    assert told == f"config {misspelt!r} is not known; did you mean {meant!r}?"


@pytest.mark.parametrize("key", ["event_date", "owner", "date_column", "order_by", "sla", "pk"])
def test_a_key_of_a_projects_own_is_not(key: str) -> None:
    assert read_table(spec({key: "x"})).misspelt == ()


FOREIGN = "row_filter is not done: it needs Unity Catalog"
LAYOUTS = "partition_by and liquid_clustered_by exclude each other; keep one of them"
MISSPELT = "config 'uniqe_key' is not known; did you mean 'unique_key'?"
WRONG = {"uniqe_key": "id", "partition_by": "day", "liquid_clustered_by": "id", "row_filter": "f"}


def test_a_misspelt_key_is_told_with_what_is_wrong_and_once() -> None:
    model = incremental(**WRONG)
    with pytest.raises(ModelConfigError) as error:
        check(model, model.problems)
    assert error.value.msg == (
        f"Model 'orders' (models/orders.sql) has 2 config problems:\n  - {LAYOUTS}\n  - {MISSPELT}"
    )


@pytest.mark.parametrize("facts", [{}, {"meta_columns": {}, "now": "now()"}])
def test_a_strict_profile_refuses_it_with_all_else(facts: dict[str, Any]) -> None:
    node = spec({**WRONG, "strategy": "timestamp", "unique_key": "id"}, **facts)
    of_snapshot = ["strategy 'timestamp' needs updated_at, the time of a row's last change"]
    misspelt = f"{MISSPELT} A key of the project's own goes under meta"
    told = [LAYOUTS, misspelt, FOREIGN, *(of_snapshot if facts else [])]
    assert early_problems(node, strict=True) == told
    only_wrong = [LAYOUTS, *(of_snapshot if facts else [])]
    assert early_problems(node, strict=False) == only_wrong
