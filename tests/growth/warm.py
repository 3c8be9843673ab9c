"""Many dbt processes over one warm Spark: `python tests/growth/warm.py --processes 50 --seed 1`.

Two at a time; one in four is killed at a random moment. Each merges a row of its own into the same
table: at the end every process that ended well has its row once, a killed one once or not at all,
and the Spark holds no more than after the first ten, by the tolerance in measures.py.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from measures import Held, grown

from dbt.adapters.deltaspark.session import SessionSettings, handshake, open_session, warm

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FIRST = 10
"""So many processes fill Spark's pools of threads, two of up to 100 each."""
KEEP = 600.0
PROFILE = """shop:
  target: dev
  outputs:
    dev: {type: deltaspark, schema: shop, threads: 2, driver_memory: 2g, keep_alive: 10m,
          keep_alive_in_ci: true}
"""
PROJECT = "name: shop\nprofile: shop\nversion: '1.0'\n"
MODEL = """{{ config(materialized='incremental', unique_key='id') }}
select cast({{ var('number') }} as bigint) as id, %s as model
"""
MODELS = ("north", "south")
DBT = Path(sys.executable).with_name("dbt")


def project(folder: Path) -> Path:
    (folder / "models").mkdir(parents=True)
    (folder / "profiles.yml").write_text(PROFILE)
    (folder / "dbt_project.yml").write_text(PROJECT)
    for name in MODELS:
        (folder / f"models/{name}.sql").write_text(MODEL % f"'{name}'")
    return folder


def run(folder: Path, number: int, killed_after: float | None) -> int:
    """The exit code of a `dbt run` that adds a row to each model; below 0 where it was killed."""
    own = ["--target-path", f"target/{number}", "--log-path", f"logs/{number}"]
    command = [DBT, "run", "--vars", json.dumps({"number": number}), *own]
    environment = {**os.environ, "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            output, _ = process.communicate(timeout=killed_after or 300)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
        if process.returncode > 0:
            print(output[-3000:])
        return process.returncode


def figures(folder: Path) -> tuple[Held, int]:
    """What the Spark holds while this process alone uses it, and its JVM."""
    code = f"""
import json
from dataclasses import asdict
from pathlib import Path
from measures import held
from warm import opened
spark = opened(Path({str(folder)!r}))
print(json.dumps([asdict(held(spark)), spark._jvm.java.lang.ProcessHandle.current().pid()]))
"""
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parent, stdout=subprocess.PIPE, check=True
    )
    told, jvm = json.loads(found.stdout.splitlines()[-1])
    return Held(**told), jvm


def opened(folder: Path) -> SparkSession:
    settings = SessionSettings(
        warehouse=str(folder / "warehouse"),
        metastore=str(folder / "metastore"),
        master="local[*]",
        driver_memory="2g",
        keep_alive=KEEP,
    )
    return open_session(settings)


def rows(folder: Path) -> dict[str, Counter[int]]:
    spark = opened(folder)
    return {
        name: Counter(row.id for row in spark.table(f"shop.{name}").collect()) for name in MODELS
    }


def main() -> int:
    options = _options()
    draw = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = project(Path(name) / "shop")
        assert run(folder, 0, None) == 0
        kills = {n: draw.uniform(2, 9) for n in range(1, options.processes) if draw.random() < 0.25}
        codes = {0: 0}
        measured = []
        first = min(FIRST, options.processes // 2)
        for part in (range(1, first), range(first, options.processes)):
            with ThreadPoolExecutor(2) as pool:
                ended = pool.map(lambda n: run(folder, n, kills.get(n)), part)
                codes |= dict(zip(part, ended, strict=True))
            time.sleep(5)  # the keeper clears up
            measured.append(figures(folder))
            print(f"after {len(codes)} processes: {measured[-1]}", flush=True)
        (before, jvm), (after, last) = measured
        found = rows(folder)
        problems = [f"process {n} ended with {code}" for n, code in codes.items() if code > 0]
        problems += wrong_rows(found, codes)
        growth = grown(before, after)
        problems += [f"{key} grew from {old} to {new}" for key, (old, new) in growth.items()]
        problems += ["another JVM"] if last != jvm else []
        print(f"{sum(code < 0 for code in codes.values())} of {len(codes)} were killed")
        print(*problems, sep="\n")
        running = handshake.read(folder / "metastore/warm")
        if running is not None:
            warm.end(folder / "metastore/warm", running)
    return 1 if problems else 0


def wrong_rows(found: dict[str, Counter[int]], codes: dict[int, int]) -> list[str]:
    return [
        f"{name} has row {number} {count} times, whose process ended with {codes.get(number)}"
        for name, of in found.items()
        for number in {*codes, *of}
        for count in [of[number]]
        if count > 1 or (count == 0 and codes.get(number) == 0) or number not in codes
    ]


def _options() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=24)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
