"""Runs the project as a year of flights would: January to November, then December with late
corrections, then once more with nothing new. Prints what each model did, and checks the merges
against counts made on the data itself; exits 1 when anything disagrees.

    python integration_tests/run_demo.py
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import progress
from dbt.cli.main import dbtRunner
from expected_counts import (
    Counts,
    added_planes,
    merged_flights,
    monthly_totals,
    published_flights,
)
from load_flights import load, open_spark

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd
    from pyspark.sql import SparkSession

OWN_ROUTES = {"no_op", "insert_only", "deletion_vectors", "classic"}
ENDED_WELL = {"success", "pass", "no-op"}  # no-op: an exposure, which has nothing to run
STATE = ("warehouse", "metastore", "target", "logs")
MERGED = ("fct_flights", "dim_planes")
LAST_DAY = date(2014, 1, 31)


@dataclass(frozen=True, slots=True)
class Window:
    """One run of the project: the data that has arrived after one day and until another."""

    title: str
    after: date
    until: date


RUNS = (
    Window("January to November", date(2012, 12, 31), date(2013, 11, 30)),
    Window("December, and corrected delays of November", date(2013, 11, 30), LAST_DAY),
    Window("once more, with nothing new", LAST_DAY, LAST_DAY),
)

PUNCTUALITY = """
    select
        airline,
        flights,
        round(100 * cancelled_flights / flights, 1) as cancelled,
        round(100 * on_time_flights / arrived_flights, 1) as on_time,
        average_delay_minutes,
        corrected_flights
    from nyc.agg_carrier_months
    where flight_month = date '2013-12-01'
    order by flights desc
"""

MONTHLY_TOTALS = """
    select
        date_format(flight_month, 'yyyy-MM') as month,
        count(*) as flights,
        sum(arrival_delay_minutes) as delay,
        sum(air_time_minutes) as air_time
    from nyc.fct_flights
    group by flight_month
"""


@dataclass(frozen=True, slots=True)
class Demo:
    """What every run of the demo needs."""

    spark: SparkSession
    project: Path
    flights: pd.DataFrame
    started: float


def main(project: Path, *, one_in: int) -> bool:
    """The whole demo; whether everything was as counted."""
    started = time.monotonic()
    say(started, "Starting Spark in this process")
    remove_state(project)
    demo = Demo(open_spark(project), project, published_flights(one_in=one_in), started)
    say(started, f"Loading {len(demo.flights):,} flights of 2013, the weather and the planes")
    print("  " + ", ".join(load(demo.spark, project / "target", one_in=one_in)))

    agrees = [run(demo, number, window) for number, window in enumerate(RUNS, 1)]
    say(started, "All corrections are in: the merged table against the published data")
    agrees.append(check_totals(demo))
    say(started, "Punctuality in December 2013, from New York (on time: less than 15 minutes late)")
    print_punctuality(demo.spark)
    say(started, "Everything agrees." if all(agrees) else "Something disagrees: see WRONG above.")
    return all(agrees)


def say(started: float, text: str) -> None:
    """A headline, with the seconds since the start."""
    print(f"\n[{time.monotonic() - started:5.1f} s] {text}", flush=True)


def remove_state(project: Path) -> None:
    for folder in STATE:
        shutil.rmtree(project / folder, ignore_errors=True)
    (project / "target").mkdir()


def run(demo: Demo, number: int, window: Window) -> bool:
    """One run of the project, and its checks."""
    say(demo.started, f"Run {number}: {window.title} (arrived_until: {window.until})")
    before = versions(demo.spark)
    responses = dbt_build(demo.project, number, window.until)
    arrived = {"after": window.after, "until": window.until}
    expected = {
        "fct_flights": merged_flights(demo.flights, **arrived),
        "dim_planes": added_planes(demo.flights, **arrived),
    }
    agrees = [check_counts(model, responses[model], expected[model]) for model in MERGED]
    if before:
        agrees += [check_route(model, responses[model]) for model in MERGED]
    if window.after == window.until:
        agrees.append(check_unchanged(before, versions(demo.spark)))
    return all(agrees)


def versions(spark: SparkSession) -> dict[str, int]:
    """The Delta version of each merged table that exists."""
    return {
        model: spark.sql(f"describe history nyc.{model} limit 1").first()["version"]
        for model in MERGED
        if spark.catalog.tableExists(f"nyc.{model}")
    }


def dbt_build(project: Path, number: int, until: date) -> dict[str, dict[str, Any]]:
    """Builds and tests everything; returns each model's adapter response, or ends the demo."""
    progress.print_model_heading()
    outcome = dbtRunner(callbacks=[progress.print_finished_model]).invoke(
        ["build", "--quiet", "--project-dir", str(project), "--profiles-dir", str(project)]
        + ["--target-path", f"{project}/target/run-{number}", "--log-path", f"{project}/logs"],
        vars={"arrived_until": until.isoformat()},
    )
    if outcome.exception:
        raise SystemExit(f"dbt could not run.\n{outcome.exception}")
    results = list(outcome.result or ())
    tests = [result for result in results if result.node.resource_type == "test"]
    passed = sum(result.status == "pass" for result in tests)
    print(f"  {passed} of {len(tests)} dbt tests passed")
    for result in results:
        if result.status not in ENDED_WELL:
            print(f"  {result.node.name}: {result.status}\n    {result.message}")
    if not outcome.success:
        raise SystemExit("The dbt build failed.")
    models = (result for result in results if result.node.resource_type == "model")
    return {result.node.name: result.adapter_response for result in models}


def check(claim: str, *, holds: bool) -> bool:
    """Prints what was checked, and whether it is so."""
    print(f"  {'ok  ' if holds else 'WRONG'} {claim}", flush=True)
    return holds


def check_counts(model: str, response: Mapping[str, Any], expected: Counts) -> bool:
    found = Counts(response.get("rows_inserted", 0), response.get("rows_updated", 0))
    if found == expected:
        return check(f"{model}: {found}, as counted in the data", holds=True)
    return check(f"{model}: {found}, but the data has {expected}", holds=False)


def check_route(model: str, response: Mapping[str, Any]) -> bool:
    route = response.get("route")
    return check(f"{model}: route {route} is the engine's own", holds=route in OWN_ROUTES)


def check_unchanged(before: Mapping[str, int], after: Mapping[str, int]) -> bool:
    shown = ", ".join(f"{model} at {version}" for model, version in after.items())
    return check(f"Delta versions as before: {shown}", holds=before == after)


def check_totals(demo: Demo) -> bool:
    """Whether the merged flights, all corrections applied, are those of the package, by month."""
    found = {
        row["month"]: (row["flights"], row["delay"], row["air_time"])
        for row in demo.spark.sql(MONTHLY_TOTALS).collect()
    }
    expected = monthly_totals(demo.flights)
    total = sum(month[0] for month in expected.values())
    claim = f"flights, delays and air time of {len(expected)} months, {total:,} flights in all"
    return check(claim, holds=found == expected)


def print_punctuality(spark: SparkSession) -> None:
    rows = spark.sql(PUNCTUALITY).collect()
    headings = ("airline", "flights", "cancelled %", "on time %", "mean delay, min", "corrected")
    progress.print_table(headings, rows)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Runs the flights project and checks its merges.")
    parser.add_argument("--project", type=Path, default=Path(__file__).parent)
    parser.add_argument("--one-in", type=int, default=1, help="load one flight in so many")
    return parser.parse_args()


if __name__ == "__main__":
    given = arguments()
    sys.exit(0 if main(given.project.resolve(), one_in=given.one_in) else 1)
