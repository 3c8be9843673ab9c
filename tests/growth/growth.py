"""Nothing grows while a process works: `python tests/growth/growth.py --merges 1000`.

Prints what the process holds after the first 50 merges (models) and after the last, and fails where
a figure has grown by more than the tolerance in measures.py. `--rows` merges a source of that many
rows with a driver of 1 GB, which has to spill.
"""

from __future__ import annotations

import sys
import tempfile
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt.cli.main import dbtRunner
from measures import Held, grown, held_at_rest, measured_traffic
from pyspark.sql import SparkSession

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.session import SessionSettings, open_session

if TYPE_CHECKING:
    from collections.abc import Callable

FIRST = 50
UPSERT = """MERGE INTO {table} t USING (SELECT id, {n} AS n FROM range({n}, {n} + 20)) s
    ON t.id = s.id WHEN MATCHED THEN UPDATE SET n = t.n + s.n WHEN NOT MATCHED THEN INSERT *"""
PROFILE = """growth:
  target: dev
  outputs:
    dev: {{type: deltaspark, schema: growth, threads: 8, driver_memory: 3g}}
"""
PROJECT = """name: growth
profile: growth
version: "1.0"
models: {{growth: {{+materialized: incremental, +unique_key: id}}}}
"""


def merged(spark: SparkSession, table: str, numbers: range) -> None:
    for n in numbers:
        engine.merge_into(spark, UPSERT.format(table=table, n=n))


def merges(
    spark: SparkSession,
    folder: Path,
    count: int,
    first: int = FIRST,
    figures: Callable[[SparkSession], Held] = held_at_rest,
) -> tuple[Held, Held]:
    """What is held after the first merges into one table, and after all of them."""
    table = f"delta.`{folder / 'merges'}`"
    spark.sql(f"CREATE TABLE {table} (id BIGINT, n BIGINT) USING delta")
    merged(spark, table, range(first))
    before = figures(spark)
    merged(spark, table, range(first, count))
    return before, figures(spark)


def project(folder: Path, models: int) -> None:
    """A dbt project of incremental models, most of them over another one."""
    (folder / "models").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text(PROJECT.format())
    (folder / "profiles.yml").write_text(PROFILE.format())
    for n in range(models):
        parent = f"{{{{ ref('m{n - 10}') }}}}" if n >= 10 else "(select 1 as id, 1 as v)"
        text = f"select id, v from {parent} union all select {n}, {n}"
        (folder / f"models/m{n}.sql").write_text(
            f"select id, sum(v) as v from ({text}) group by id"
        )


def built(folder: Path, models: int, first: int = FIRST) -> tuple[Held, Held]:
    """What is held after the first models of the project were merged into, and after all were."""
    project(folder, models)
    _run(folder, "*")
    _run(folder, *(f"m{n}" for n in range(min(first, models))))
    spark = SparkSession.builder.getOrCreate()
    before = held_at_rest(spark)
    _run(folder, "*")
    return before, held_at_rest(spark)


def _run(folder: Path, *models: str) -> None:
    places = ["--project-dir", str(folder), "--profiles-dir", str(folder)]
    outcome = dbtRunner().invoke(["run", "--quiet", *places, "--select", *models])
    assert outcome.success, outcome.exception or {each.message for each in outcome.result}


def spilling(spark: SparkSession, folder: Path, rows: int) -> dict[str, Any]:
    """A merge of many rows: seconds, and what of it went through Python."""
    table = f"delta.`{folder / 'many'}`"
    spark.sql(f"CREATE TABLE {table} USING delta AS SELECT id, id AS n FROM range(1000000)")
    source = f"SELECT id, concat('value ', id) AS v, id % 7 AS n FROM range({rows})"
    started = time.monotonic()
    with measured_traffic() as traffic:
        result = engine.merge_into(
            spark,
            f"MERGE INTO {table} t USING ({source}) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT (id, n)"
            " VALUES (s.id, s.n)",
        )
    done = {"updated": result.metrics.updated, "inserted": result.metrics.inserted}
    seconds = round(time.monotonic() - started, 1)
    return {"seconds": seconds, "bytes": traffic.bytes, "collected": traffic.rows, **done}


def main() -> int:
    """One of the three a process: each has a Spark of its own."""
    parser = ArgumentParser(description=__doc__)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--merges", type=int)
    what.add_argument("--models", type=int)
    what.add_argument("--rows", type=int)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if chosen.models:
            return _reported(f"{chosen.models} models", *built(folder / "project", chosen.models))
        if chosen.merges:
            spark = _spark(folder, "3g")
            return _reported(f"{chosen.merges} merges", *merges(spark, folder, chosen.merges))
        print(f"{chosen.rows} rows: {spilling(_spark(folder, '1g'), folder, chosen.rows)}")
    return 0


def _spark(folder: Path, memory: str) -> SparkSession:
    return open_session(
        SessionSettings(
            master="local[*]",
            warehouse=str(folder / "warehouse"),
            metastore=str(folder / "metastore"),
            driver_memory=memory,
        )
    )


def _reported(what: str, before: Held, after: Held) -> int:
    more = grown(before, after)
    print(f"{what}\n  after {FIRST}: {before}\n  at the end: {after}\n  grown: {more or 'no'}")
    return int(bool(more))


if __name__ == "__main__":
    sys.exit(main())
