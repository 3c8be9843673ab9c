"""The query of a source's freshness: two moments, as a clock in UTC shows them.

dbt takes a time without a zone for UTC's, and gets each timestamp by the session's clock.
"""

from __future__ import annotations

from dbt_common.exceptions import DbtRuntimeError
from pyspark.sql.types import (
    DataType,
    DateType,
    NullType,
    NumericType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

TIMES = (TimestampType, TimestampNTZType, DateType, NullType)
LOADED_AT, NOW = "max_loaded_at", "snapshotted_at"


class FreshnessTypeError(DbtRuntimeError):
    """What says when a source was loaded is no time."""

    def __init__(self, source: str, table: str, field: str | None, kind: DataType) -> None:
        given = "loaded_at_query" if field is None else f"loaded_at_field {field!r}"
        value = field or "…"
        super().__init__(
            f"{source}: {given} of the table {table} gives a value of the type"
            f" {kind.simpleString()}, and freshness needs a timestamp or a date."
            f" {_way_out(value, kind, in_query=field is None)}"
        )


def _way_out(value: str, kind: DataType, *, in_query: bool) -> str:
    cast = f"cast({value} as timestamp)"
    if isinstance(kind, NumericType):
        cast = f"timestamp_seconds({value})"
    other = {
        StringType: f", or to_timestamp({value}, '…') with the pattern of its texts",
        NumericType: f", or timestamp_millis({value})",
    }
    also = next((text for each, text in other.items() if isinstance(kind, each)), "")
    place = "Select " if in_query else "Write loaded_at_field: "
    return f"{place}{cast}{also}."


def freshness_sql(query: str, now: str) -> str:
    """`query` has the one column `max_loaded_at`: a timestamp, one by the session's clock, a date
    for its midnight there, or null.
    """
    return (
        f"select {_in_utc(LOADED_AT)} as {LOADED_AT}, {_in_utc(now)} as {NOW}\nfrom (\n{query}\n)"
    )


def _in_utc(moment: str) -> str:
    """By the count of microseconds: no hour of it comes twice, or not at all."""
    micros = f"cast(unix_micros(cast({moment} as timestamp)) as decimal(20, 0))"
    seconds = f"cast({micros} / 1000000 as decimal(18, 6))"
    return f"timestamp_ntz'1970-01-01 00:00:00' + make_dt_interval(0, 0, 0, {seconds})"
