"""What the merges must have done, counted with pandas on the package's own files, without Spark."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd
from load_flights import package_data

if TYPE_CHECKING:
    from datetime import date


@dataclass(frozen=True, slots=True)
class Counts:
    """Rows that a merge inserted and updated."""

    inserted: int
    updated: int

    def __str__(self) -> str:
        return f"{self.inserted:,} inserted and {self.updated:,} updated"


def published_flights(*, one_in: int = 1) -> pd.DataFrame:
    """The flights with the day of the flight, and that of the correction where there is one."""
    flights = pd.read_csv(package_data() / "flights.csv.zip", parse_dates=["time_hour"])
    day = pd.to_datetime(flights[["year", "month", "day"]])
    key = [
        f"{flown:%Y-%m-%d}-{carrier}-{flight}-{origin}"
        for flown, carrier, flight, origin in zip(
            day, flights["carrier"], flights["flight"], flights["origin"], strict=True
        )
    ]
    checksum = pd.Series([zlib.crc32(text.encode()) for text in key])
    late = (
        flights["arr_delay"].notna()
        & (flights["arr_delay"] != flights["dep_delay"])
        & (checksum % 20 == 0)
    )
    corrected = day + pd.to_timedelta(1 + checksum // 20 % 31, unit="D")
    planned = flights.assign(flown_on=day, corrected_on=corrected.where(late))
    return planned[checksum // 620 % one_in == 0]


def merged_flights(flights: pd.DataFrame, *, after: date, until: date) -> Counts:
    """What a run does to the fact: everything that arrives after one day and until another."""
    start, end = pd.Timestamp(after), pd.Timestamp(until)
    flown, corrected = flights["flown_on"], flights["corrected_on"]
    is_new = flown.gt(start) & flown.le(end)
    is_correction = corrected.gt(start) & corrected.le(end)
    return Counts(inserted=int(is_new.sum()), updated=int((is_correction & flown.le(start)).sum()))


def added_planes(flights: pd.DataFrame, *, after: date, until: date) -> Counts:
    """What a run does to the dimension: the planes whose first flight is after one day."""
    start, end = pd.Timestamp(after), pd.Timestamp(until)
    first_seen = flights.groupby("tailnum")["flown_on"].min()
    is_new = first_seen.gt(start) & first_seen.le(end)
    return Counts(inserted=int(is_new.sum()), updated=0)


def monthly_totals(flights: pd.DataFrame) -> dict[str, tuple[int, int, int]]:
    """For each month as published: flights, minutes of arrival delay, minutes in the air."""
    months = flights.groupby(flights["flown_on"].dt.strftime("%Y-%m"))
    totals = months.agg(
        flights=("flight", "size"), delay=("arr_delay", "sum"), air_time=("air_time", "sum")
    )
    return {str(row.Index): (int(row[1]), int(row[2]), int(row[3])) for row in totals.itertuples()}
