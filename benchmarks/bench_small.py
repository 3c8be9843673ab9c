"""Times changes of 1,000 rows, where what counts is the fixed cost; see README.md."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from engines import ENGINES
from processes import in_fresh_process, machine
from report import timing_report
from rounds import prepare_data, time_merges
from sessions import SETTINGS, spark_session
from small_changes import SMALL_OPERATIONS
from timed_changes import Timing, report, time_operations
from workload import WORKLOADS, Workload

SMALL = Workload(rows=1_000, files=4, source_rows=100)
SMALL_SETTINGS = {**SETTINGS, "spark.driver.memory": "2g"}
WARM_UP = 3
MARKS = {"recent": {"delta-dv": 2.0, "delta-cow": 1.0}}


def main() -> None:
    """Merges of 100 rows, then the other changes, each in a JVM of its own that is warmed up."""
    options = _options()
    engines = [engine for engine in ENGINES if engine.name in options.engines]
    in_fresh_process(prepare_data, SMALL_SETTINGS, SMALL)
    merges = in_fresh_process(
        time_merges,
        SMALL_SETTINGS,
        SMALL,
        engines,
        options.workloads,
        rounds=options.rounds,
        warm_up=WARM_UP,
    )
    changes = in_fresh_process(_time_changes, options.rounds)
    print(f"\n{machine()}\n\n{timing_report(merges, MARKS)}\n\n{report(changes, SMALL_OPERATIONS)}")
    if options.json:
        found = {"merges": [*map(asdict, merges)], "changes": [*map(asdict, changes)]}
        of = {"machine": machine(), "settings": SMALL_SETTINGS}
        options.json.write_text(json.dumps({**of, **found}))


def _time_changes(rounds: int) -> list[Timing]:
    with spark_session(SMALL_SETTINGS) as spark:
        tables = ["vectors"]
        return time_operations(
            spark, SMALL, SMALL_OPERATIONS, tables, rounds=rounds, warm_up=WARM_UP
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [engine.name for engine in ENGINES if engine.on_spark]
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--engines", nargs="+", choices=names, default=names)
    parser.add_argument("--workloads", nargs="+", choices=[*WORKLOADS], default=["recent", "new"])
    parser.add_argument("--json", type=Path, help="write every single measure to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
