"""Times a merge of this project's engine against Delta's MERGE and delta-rs; see README.md."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from engines import ENGINES
from memory import memory_table, peaks
from processes import in_fresh_process, machine
from report import timing_report
from rounds import prepare_data, time_merges
from sessions import SETTINGS
from workload import WORKLOADS, Workload

MARKS: dict[str, dict[str, float]] = {
    "random": {"delta-dv": 3, "delta-cow": 7, "delta-rs": 1},
    "recent": {"delta-dv": 1.5, "delta-cow": 1.5, "delta-rs": 1},
    "late": {"delta-dv": 1.5, "delta-cow": 1.5, "delta-rs": 1},
    "new": {"delta-dv": 1, "delta-cow": 1, "delta-rs": 1},
}


def main() -> None:
    """Prepare the data, time the merges, measure the memory: no two phases share a JVM."""
    options = _options()
    workload = Workload(options.rows, options.files, options.source_rows)
    engines = [engine for engine in ENGINES if engine.name in options.engines]
    settings = {**SETTINGS, "spark.driver.memory": options.driver_memory}
    report: dict[str, object] = {"machine": machine(), "settings": settings}
    print(report["machine"], workload, *(f"{e.name}: {e.what}" for e in engines), sep="\n")
    in_fresh_process(prepare_data, settings, workload)
    if options.rounds:
        measures = in_fresh_process(
            time_merges, settings, workload, engines, options.workloads, rounds=options.rounds
        )
        report["merges"] = [*map(asdict, measures)]
        # The marks are set for the full size; smaller tables have another share of fixed costs.
        marks = MARKS if workload == Workload() else {}
        print(f"\n{timing_report(measures, marks)}")
    if options.memory:
        resident, live = peaks(settings, workload, engines, options.workloads)
        report["memory"] = [*map(asdict, resident), *map(asdict, live)]
        print(f"\n{memory_table(resident, live)}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=Workload().rows)
    parser.add_argument("--files", type=int, default=Workload().files)
    parser.add_argument("--source-rows", type=int, default=Workload().source_rows)
    parser.add_argument("--rounds", type=int, default=3, help="0 times nothing")
    names = [engine.name for engine in ENGINES]
    parser.add_argument("--engines", nargs="+", choices=names, default=names)
    parser.add_argument("--workloads", nargs="+", choices=[*WORKLOADS], default=[*WORKLOADS])
    parser.add_argument("--memory", action="store_true", help="measure peak memory, too")
    parser.add_argument("--driver-memory", default=SETTINGS["spark.driver.memory"])
    parser.add_argument("--json", type=Path, help="write every single measure to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
