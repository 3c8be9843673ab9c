"""Times a dbt project of 51 nodes as a person waits for it: by this adapter, dbt-spark, dbt-duckdb.

Whole processes from the shell, in turns; builds in one process; what a node costs. See README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from subprocess import CompletedProcess, run
from typing import Any

from processes import machine
from projects import ADAPTERS, Adapter, install, write_project
from report import table

COMMANDS = {
    "first build": ("build",),
    "second build": ("build",),
    "one view": ("run", "--select", "view_0"),
}
"""Of `dbt`, in this order: the first on nothing, the second merges."""
KINDS = ("test", "view", "seed", "table", "merge")
FIGURES = ("calls", "statements", "jobs")
BUILDS = Path(__file__).with_name("builds.py")
ENVIRONMENT = {"DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}


def main() -> None:
    options = _options()
    adapters = [each for each in ADAPTERS if each.name in options.adapters]
    for adapter in adapters:
        install(adapter)
    report: dict[str, Any] = {"machine": machine(), "threads": {}}
    print(report["machine"], *(f"{each.name}: {each.what}" for each in adapters), sep="\n")
    for threads in options.threads if options.rounds else ():
        processes = timed_processes(adapters, threads, options.rounds)
        lasting = [each for each in adapters if not each.stays]
        warm = {each.name: builds(each, threads, options.builds) for each in lasting}
        report["threads"][threads] = {"processes": processes, "warm": warm}
        print(f"\n{threads} threads\n\n{processes_table(processes)}\n\n{warm_table(warm)}")
        print(f"\n{nodes_table(warm)}")
    if options.count:
        spark = [each for each in adapters if each.name in ("ours", "dbt-spark")]
        report["counts"] = {each.name: builds(each, 1, 3, count=True)[-1] for each in spark}
        print(f"\n{counts_table(report['counts'])}")
    if options.json:
        options.json.write_text(json.dumps(report, indent=1))


def timed_processes(
    adapters: Sequence[Adapter], threads: int, rounds: int
) -> dict[str, dict[str, list[float]]]:
    """Seconds of each command of each adapter; each begins a round."""
    times: dict[str, dict[str, list[float]]] = {
        each.name: {which: [] for which in COMMANDS} for each in adapters
    }
    for number in range(rounds):
        place = number % len(adapters)
        for adapter in (*adapters[place:], *adapters[:place]):
            folder = write_project(adapter, threads)
            for which, command in COMMANDS.items():
                began = time.perf_counter()
                called(adapter, folder, adapter.python.with_name("dbt"), *command, "--quiet")
                times[adapter.name][which].append(time.perf_counter() - began)
            if adapter.stays:
                called(adapter, folder, adapter.python.with_name("deltaspark"), "stop")
    return times


def builds(
    adapter: Adapter, threads: int, count_of: int, *, count: bool = False
) -> list[dict[str, Any]]:
    """What builds.py says of builds in one process, the first of them on nothing."""
    folder = write_project(adapter, threads)
    wanted = json.dumps({"builds": count_of, "threads": threads, "count": count})
    printed = called(adapter, folder, adapter.python, BUILDS, wanted).stdout
    return [json.loads(line) for line in printed.splitlines() if line.startswith('{"seconds"')]


def called(adapter: Adapter, folder: Path, *command: Path | str) -> CompletedProcess[str]:
    result = run(
        command,
        cwd=folder,
        env={**os.environ, **ENVIRONMENT},
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode:
        raise SystemExit(f"{adapter.name} failed:\n{result.stdout[-4000:]}{result.stderr[-4000:]}")
    return result


def processes_table(times: dict[str, dict[str, list[float]]]) -> str:
    rows = [
        (name, which, *_timings(seconds, times.get("ours", {}).get(which)))
        for which in COMMANDS
        for name, each in times.items()
        for seconds in [each[which]]
    ]
    return table(("whole process", "command", "median s", "min", "max", "x ours"), rows)


def _timings(seconds: Sequence[float], ours: Sequence[float] | None) -> tuple[str, ...]:
    ratio = f"{median(seconds) / median(ours):.2f}" if ours else ""
    return (*(f"{each:.1f}" for each in (median(seconds), min(seconds), max(seconds))), ratio)


def warm_table(warm: dict[str, list[dict[str, Any]]]) -> str:
    length = max(map(len, warm.values()))
    header = ("one process, s", *(f"build {number + 1}" for number in range(length)))
    return table(
        header, [(name, *(f"{each['seconds']:.1f}" for each in of)) for name, of in warm.items()]
    )


def nodes_table(warm: dict[str, list[dict[str, Any]]]) -> str:
    """Median seconds of a node in the last build."""
    rows = [
        (name, *(f"{_median(of[-1]['nodes'], kind, 'seconds'):.2f}" for kind in KINDS))
        for name, of in warm.items()
    ]
    return table(("a node, last build, s", *KINDS), rows)


def counts_table(counts: dict[str, dict[str, Any]]) -> str:
    rows = [
        (f"{name}: {figure}", *(f"{_median(of['nodes'], kind, figure):g}" for kind in KINDS))
        for name, of in counts.items()
        for figure in FIGURES
    ]
    return table(("a node, third build", *KINDS), rows)


def _median(nodes: Iterable[dict[str, Any]], kind: str, figure: str) -> float:
    return median(node.get(figure, 0) for node in nodes if node["kind"] == kind)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    names = [each.name for each in ADAPTERS]
    parser.add_argument("--adapters", nargs="+", choices=names, default=names)
    parser.add_argument("--threads", nargs="+", type=int, default=[1, 4])
    parser.add_argument("--rounds", type=int, default=3, help="of whole processes")
    parser.add_argument("--builds", type=int, default=5, help="in one process")
    parser.add_argument("--count", action="store_true", help="calls, statements and jobs, too")
    parser.add_argument("--json", type=Path, help="write every single measure to this file")
    return parser.parse_args()


if __name__ == "__main__":
    main()
