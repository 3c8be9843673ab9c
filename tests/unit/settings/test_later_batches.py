"""Which batch of a microbatch model is the first of a run."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from dbt.adapters.deltaspark.settings import is_later_batch

MIDNIGHT = datetime(2024, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "begin",
    [
        "2024-01-01",
        "2024-01-01T05:30:00",
        "2024-01-01T00:00:00+05:00",
        "2024-01-01T00:00:00-05:00",
        datetime(2024, 1, 1, 23),
        MIDNIGHT,
    ],
)
@pytest.mark.parametrize(("start", "is_later"), [(1, False), (2, True)])
def test_the_first_is_that_of_begin_by_its_own_clock(
    begin: str | datetime, start: int, is_later: bool
) -> None:
    batch = {"event_time_start": MIDNIGHT.replace(day=start)}
    assert is_later_batch(batch, begin) is is_later
