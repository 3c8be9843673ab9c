"""Spark's time zones as Python's: a region, UTC, or an offset from it."""

from __future__ import annotations

import re
from datetime import timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from .errors import SessionError

OFFSET = re.compile(
    r"(?:UTC|GMT|UT)?([+-])(\d\d?)(?::(\d\d?)(?::(\d\d))?|(\d\d)(\d\d)?)?|Z|UTC|GMT|UT"
)
"""What Java's ZoneId takes, and the single digits that Spark does."""


def time_zone(name: str) -> tzinfo:
    """The zone that Spark knows by this name; raises SessionError where Python knows none."""
    found = OFFSET.fullmatch(name)
    if found is not None:
        sign, *parts = found.groups(default="0")
        hours, minutes, seconds, more_minutes, more_seconds = map(int, parts)
        ahead = timedelta(
            hours=hours, minutes=minutes + more_minutes, seconds=seconds + more_seconds
        )
        return timezone(-ahead if sign == "-" else ahead)
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise SessionError(
            f"The session's time zone is '{name}', and Python knows no such region. Name a region"
            " that it knows or an offset: spark_config: {spark.sql.session.timeZone:"
            " America/Los_Angeles}, or '+02:00'."
        ) from error
