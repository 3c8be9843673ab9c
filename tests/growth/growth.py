"""Nothing grows while a process works: `python tests/growth/growth.py --merges 1000 --models 300`.

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
from measures import Held, grown, held, measured_traffic

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.session import SessionSettings, open_session

if TYPE_CHECKING:
    from dbt_common.events.base_types import EventMsg
    from pyspark.sql import SparkSession

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


def merges(spark: SparkSession, folder: Path, count: int, first: int = FIRST) -> tuple[Held, Held]:
    """What is held after the first merges into one table, and after all of them."""
    table = f"delta.`{folder / 'merges'}`"
    spark.sql(f"CREATE TABLE {table} (id BIGINT, n BIGINT) USING delta")
    merged(spark, table, range(first))
    before = held(spark)
    merged(spark, table, range(first, count))
    return before, held(spark)


def project(folder: Path, models: int) -> None:
    """A dbt project of incremental models, most of them over another one."""
    (folder / "models").mkdir(parents=True)
    (folder / "dbt_project.yml").write_text(PROJECT.format())
    (folder / "profiles.yml").write_text(PROFILE.format())
    for n in range(models):
        parent = f"{{{{ ref('m{n - 10}') }}}}" if n >= 10 else "(select 1 as id, 1 as v)"
        text = f"select id + 1 as id, v from {parent} union all select {n}, {n}"
        (folder / f"models/m{n}.sql").write_text(
            f"select max(id) as id, v from ({text}) group by v"
        )


def built(folder: Path, first: int = FIRST) -> tuple[Held, Held]:
    """What is held after the first models of the project's second run, and after the last."""
    figures: list[Held] = []
    done = 0

    def finished(event: EventMsg) -> None:
        nonlocal done
        done += event.info.name == "LogModelResult"
        if done == first and not figures:
            figures.append(held(_session(folder)))

    places = ["--project-dir", str(folder), "--profiles-dir", str(folder)]
    for callbacks in ([], [finished]):
        outcome = dbtRunner(callbacks=callbacks).invoke(["run", "--quiet", *places])
        assert outcome.success, outcome.exception
    return figures[0], held(_session(folder))


def _session(folder: Path) -> SparkSession:
    return open_session(SessionSettings(master="local[*]", warehouse=str(folder / "warehouse")))


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
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--merges", type=int, default=0)
    parser.add_argument("--models", type=int, default=0)
    parser.add_argument("--rows", type=int, default=0)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, figures = Path(name), {}
        if chosen.models:
            project(folder / "project", chosen.models)
            figures[f"{chosen.models} models, 8 threads"] = built(folder / "project")
        memory = "1g" if chosen.rows else "3g"
        spark = open_session(
            SessionSettings(
                master="local[*]",
                warehouse=str(folder / "w"),
                metastore=str(folder / "m"),
                driver_memory=memory,
            )
        )
        if chosen.merges:
            figures[f"{chosen.merges} merges"] = merges(spark, folder, chosen.merges)
        if chosen.rows:
            print(f"{chosen.rows} rows: {spilling(spark, folder, chosen.rows)}")
        return _reported(figures)


def _reported(figures: dict[str, tuple[Held, Held]]) -> int:
    failed = 0
    for what, (before, after) in figures.items():
        more = grown(before, after)
        failed += bool(more)
        print(f"{what}\n  after {FIRST}: {before}\n  at the end: {after}\n  grown: {more or 'no'}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
