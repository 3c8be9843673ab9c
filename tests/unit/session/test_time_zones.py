"""Spark's names of time zones."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from dbt.adapters.deltaspark.session import SessionError
from dbt.adapters.deltaspark.session.time_zones import time_zone

SUMMER = datetime(2026, 7, 1)


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("UTC", 0),
        ("Z", 0),
        ("GMT", 0),
        ("UT", 0),
        ("+02:00", 7200),
        ("-02:30", -9000),
        ("+2:00", 7200),
        ("+02:5", 7500),
        ("+5", 18000),
        ("+18", 64800),
        ("-0230", -9000),
        ("+02:00:30", 7230),
        ("+020030", 7230),
        ("GMT+02:00", 7200),
        ("UTC-3", -10800),
        ("UT+1", 3600),
        ("Europe/Berlin", 7200),
        ("America/Los_Angeles", -25200),
    ],
)
def test_a_zone_is_a_region_or_an_offset(name: str, seconds: int) -> None:
    assert time_zone(name).utcoffset(SUMMER) == timedelta(seconds=seconds)


def test_a_zone_that_python_does_not_know_is_told_with_the_way_out() -> None:
    with pytest.raises(SessionError, match="'PST'.*America/Los_Angeles"):
        time_zone("PST")
