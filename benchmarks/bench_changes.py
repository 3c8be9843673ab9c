"""Times deletes, updates and replace_where of this project's engine against Delta's; see README."""

from __future__ import annotations

import argparse

from changes import OPERATIONS
from processes import in_fresh_process, machine
from rounds import prepare_data
from sessions import SETTINGS, spark_session
from timed_changes import TABLES, Timing, report, time_operations
from workload import Workload


def main() -> None:
    options = _options()
    workload = Workload(options.rows, options.files)
    print(machine(), workload, sep="\n")
    in_fresh_process(prepare_data, SETTINGS, workload)
    timings = in_fresh_process(_time, workload, options.tables, options.rounds)
    print(f"\n{report(timings, OPERATIONS)}")


def _time(workload: Workload, tables: list[str], rounds: int) -> list[Timing]:
    with spark_session(SETTINGS) as spark:
        return time_operations(spark, workload, OPERATIONS, tables, rounds=rounds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=Workload().rows)
    parser.add_argument("--files", type=int, default=Workload().files)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", nargs="+", choices=TABLES, default=[*TABLES])
    return parser.parse_args()


if __name__ == "__main__":
    main()
