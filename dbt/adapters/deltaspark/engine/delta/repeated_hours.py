"""Partitions by a timestamp, in a session whose time zone has an hour twice.

A partition's folder is named by the session's clock, Delta takes its value from that name, and
reads it by that clock, too: of the two moments that it shows alike, each becomes the first one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pyspark.sql.types import StructType, TimestampType

from ..errors import RepeatedHourError

if TYPE_CHECKING:
    from .jvm import JavaObject, Jvm

TIME_ZONE = "spark.sql.session.timeZone"
OFFSET = re.compile(r"(?:UTC|GMT|UT|Etc/UTC|Z)?(?:[+-]\d[\d:]*)?")


@lru_cache
def repeats_hours(zone: str) -> bool:
    """Whether its clocks go back this year or the next; of a name that only Java has, they may."""
    if OFFSET.fullmatch(zone):
        return False
    try:
        rules = ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError):
        return True
    today = datetime.now(timezone.utc)
    days = (today + timedelta(days=each) for each in range(2 * 365))
    return len({day.astimezone(rules).utcoffset() for day in days}) > 1


def refuse_repeated_hours(schema: StructType, partitions: Sequence[str], zone: str) -> None:
    """Raises RepeatedHourError for a table of these columns that is to be written."""
    names = {name.lower() for name in partitions} if repeats_hours(zone) else ()
    for field in schema.fields if names else ():
        if field.name.lower() in names and isinstance(field.dataType, TimestampType):
            raise RepeatedHourError(field.name, zone)


def refuse_repeated_hours_of(jvm: Jvm, metadata: JavaObject) -> None:
    """The same of the table that Delta's metadata is of."""
    zone = jvm.conf(TIME_ZONE)
    if repeats_hours(zone) and (partitions := jvm.items(metadata.partitionColumns())):
        schema = StructType.fromJson(json.loads(metadata.schema().json()))
        refuse_repeated_hours(schema, partitions, zone)
