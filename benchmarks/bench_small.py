"""Times a merge of 100 rows into 1,000, where what counts is the fixed cost; see README.md."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from engines import ENGINES
from processes import in_fresh_process, machine
from report import timing_report
from rounds import prepare_data, time_merges
from sessions import SETTINGS
from workload import WORKLOADS, Workload

SMALL = Workload(rows=1_000, files=4, source_rows=100)
SMALL_SETTINGS = {**SETTINGS, "spark.driver.memory": "2g"}


def main() -> None:
    """Three rounds to warm up, then the measured ones, all in one JVM."""
    options = _options()
    engines = [engine for engine in ENGINES if engine.on_spark and engine.name in options.engines]
    in_fresh_process(prepare_data, SMALL_SETTINGS, SMALL)
    measures = in_fresh_process(
        time_merges, SMALL_SETTINGS, SMALL, engines, [*WORKLOADS], rounds=options.rounds, warm_up=3
    )
    print(f"\n{machine()}\n\n{timing_report(measures, marks={})}")
    if options.json:
        report = {"machine": machine(), "settings": SMALL_SETTINGS}
        options.json.write_text(json.dumps({**report, "merges": [*map(asdict, measures)]}))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [engine.name for engine in ENGINES if engine.on_spark]
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--engines", nargs="+", choices=names, default=names)
    parser.add_argument("--json", type=Path, help="write every single measure to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
