"""Config keys that nobody knows, and what was meant by them."""

from __future__ import annotations

import pytest
from models import spec

from dbt.adapters.deltaspark.settings import read_table


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
    (told,) = read_table(spec({misspelt: "x"})).warnings
    assert told == f"config {misspelt!r} is not known; did you mean {meant!r}?"


@pytest.mark.parametrize("key", ["event_date", "owner", "date_column", "order_by", "sla", "pk"])
def test_a_key_of_a_projects_own_is_not(key: str) -> None:
    assert read_table(spec({key: "x"})).warnings == ()
