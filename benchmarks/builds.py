"""Several `dbt build`s in one process, in the environment of one adapter, in the project's folder:

    python builds.py '{"builds": 5, "threads": 1, "count": false}'

Prints JSON, a line a build: its seconds, and of each node its kind and its seconds; with `count`
also its statements, calls of py4j and Spark jobs, for which there has to be one thread.
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from typing import Any

from dbt.cli.main import dbtRunner


class Counts:
    """What is counted while a node runs; a Spark that has not started counts nothing."""

    def __init__(self) -> None:
        self.now: Counter[str] = Counter()
        self.of_node: dict[str, Counter[str]] = {}
        self._began: dict[str, Counter[str]] = {}

    def listen(self, event: Any) -> None:
        name = event.info.name
        if name == "SQLQuery":
            self.now["statements"] += 1
        elif name == "NodeStart":
            self._began[event.data.node_info.unique_id] = self.so_far()
        elif name == "NodeFinished":
            node = event.data.node_info.unique_id
            self.of_node[node] = self.so_far() - self._began.pop(node)

    def so_far(self) -> Counter[str]:
        found = Counter(self.now)  # before the jobs are asked for, which is a call, too
        found["jobs"] = spark_jobs()
        return found

    def count_calls(self) -> None:
        try:
            from py4j.clientserver import ClientServerConnection
        except ImportError:
            return
        send = ClientServerConnection.send_command

        def counting(connection: Any, command: str) -> str:
            if not command.startswith("m\n"):  # what the garbage collector lets go of
                self.now["calls"] += 1
            answer: str = send(connection, command)
            return answer

        ClientServerConnection.send_command = counting


def spark_jobs() -> int:
    pyspark = sys.modules.get("pyspark")
    context = pyspark and pyspark.SparkContext._active_spark_context
    return context._jsc.sc().dagScheduler().numTotalJobs() if context else 0


def build(number: int, threads: int, counts: Counts | None) -> dict[str, Any]:
    callbacks = [counts.listen] if counts else []
    variables = json.dumps({"round": number})
    arguments = ["build", "--quiet", "--threads", str(threads), "--vars", variables]
    began = time.perf_counter()
    found = dbtRunner(callbacks=callbacks).invoke(arguments)
    seconds = time.perf_counter() - began
    if not found.success:
        raise SystemExit(f"the build failed: {found.exception or found.result}")
    nodes = [
        {
            "name": each.node.name,
            "kind": kind_of(each.node),
            "seconds": each.execution_time,
            **(counts.of_node.get(each.node.unique_id, {}) if counts else {}),
        }
        for each in found.result
    ]
    return {"seconds": seconds, "nodes": nodes}


def kind_of(node: Any) -> str:
    """As the report has it: test, seed, view, table or merge."""
    if node.resource_type != "model":
        return str(node.resource_type)
    kind = str(node.config.materialized)
    return "merge" if kind == "incremental" else kind


def main() -> None:
    options = json.loads(sys.argv[1])
    counts = Counts() if options["count"] else None
    if counts is not None:
        counts.count_calls()
    for number in range(options["builds"]):
        print(json.dumps(build(number, options["threads"], counts)), flush=True)


if __name__ == "__main__":
    main()
