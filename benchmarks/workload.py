"""The tables and sources that are merged: made once, kept on disk, copied for every merge."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

DATA = Path(__file__).parent / "data"
COPIES = DATA / "copies"

Table = Literal["plain", "vectors"]
Facts = dict[str, int]

WORKLOADS = {
    "random": "random keys: nine in ten match, anywhere in the table",
    "recent": "recent keys: nine in ten match, in the newest tenth of the table",
    "late": "recent keys, and one in a thousand from one older hundredth of the table",
    "new": "all-new keys: none matches",
}

TARGET_COLUMNS = (
    "id",
    "cast(id * 7 % 1000 as int) as grp",
    "pmod(xxhash64(id), 100000000) / 100D as amount",
    "sha1(cast(id as string)) as s1",
    "timestamp_seconds(1600000000 + id) as ts",
    "concat('name', id % 100000) as name",
)
SOURCE_COLUMNS = (
    "id",
    "cast(id * 3 % 1000 as int) as grp",
    "1D as amount",
    "sha1(cast(id as string)) as s1",
    "timestamp_seconds(1700000000 + id) as ts",
    "'upd' as name",
)
CHEAP_FACTS = (
    "count(*) as rows",
    "count_if(name = 'upd') as written",
    "sum(id) as sum_of_ids",
    "sum(grp) as sum_of_groups",
)
ALL_FACTS = (*CHEAP_FACTS, "bit_xor(xxhash64(id, grp, amount, s1, ts, name)) as content")


@dataclass(frozen=True, slots=True)
class Workload:
    """How large the target and the sources are, and where they lie."""

    rows: int = 20_000_000
    files: int = 100
    source_rows: int = 100_000

    @property
    def folder(self) -> Path:
        return DATA / f"{self.rows}-rows-{self.files}-files"

    @property
    def sources(self) -> Path:
        return self.folder / f"sources-{self.source_rows}-rows"

    def target(self, table: Table) -> Path:
        return self.folder / table

    def source(self, keys: str) -> Path:
        return self.sources / keys

    def expected(self, keys: str) -> Facts:
        """The facts of the right result, computed by `prepare` without any merge."""
        facts: Facts = json.loads((self.sources / f"{keys}.json").read_text())
        return facts


def prepare(spark: SparkSession, workload: Workload) -> None:
    """Make what is missing of the target's two tables, the sources and the expected facts."""
    kinds: dict[Table, str] = {"plain": "false", "vectors": "true"}
    for kind, vectors in kinds.items():
        _make(workload.target(kind), partial(_write_target, spark, workload, vectors))
    for keys in WORKLOADS:
        _make(workload.source(keys), partial(_write_source, spark, workload, keys))
        _make(workload.sources / f"{keys}.json", partial(_write_facts, spark, workload, keys))


def source_keys(keys: str, workload: Workload) -> list[int]:
    """The keys of a source: existing ones by a fixed seed, then new ones that follow the last."""
    new = range(workload.rows, workload.rows + workload.source_rows)
    if keys == "new":
        return list(new)
    matched = workload.source_rows * 9 // 10
    late = matched // 1000 if keys == "late" else 0
    oldest = 0 if keys == "random" else workload.rows * 9 // 10
    chance = random.Random(3)
    existing = chance.sample(range(oldest, workload.rows), matched - late)
    older = range(workload.rows * 3 // 10, workload.rows * 31 // 100)
    return [*chance.sample(older, late), *existing, *new[: workload.source_rows - matched]]


def fresh_copy(table: Path, copy: Path) -> None:
    """Copy the log, link the data files: Delta writes new data files and never changes old ones."""
    shutil.rmtree(copy, ignore_errors=True)
    data_files = shutil.ignore_patterns("_delta_log")
    shutil.copytree(table, copy, copy_function=os.link, ignore=data_files)
    shutil.copytree(table / "_delta_log", copy / "_delta_log")


def facts(table: DataFrame, *, every_column: bool) -> Facts:
    """Counts and sums by which a result is told right from wrong."""
    row = table.selectExpr(*(ALL_FACTS if every_column else CHEAP_FACTS)).first()
    assert row is not None
    return {name: int(value) for name, value in row.asDict().items()}


def verify(found: Facts, expected: Facts, merge: str) -> None:
    """Fail where a merge left a table that differs from the expected one."""
    wanted = {name: expected[name] for name in found}
    if found != wanted:
        raise AssertionError(f"{merge} left a wrong table: found {found}, expected {wanted}")


def _write_target(spark: SparkSession, workload: Workload, vectors: str, folder: Path) -> None:
    # With vectors from the first version on, as dbt makes tables: then the checksum counts them.
    rows = spark.range(0, workload.rows, 1, workload.files).selectExpr(*TARGET_COLUMNS)
    rows.write.format("delta").option("delta.enableDeletionVectors", vectors).save(str(folder))


def _write_source(spark: SparkSession, workload: Workload, keys: str, folder: Path) -> None:
    ids = spark.createDataFrame([(key,) for key in source_keys(keys, workload)], "id bigint")
    ids.selectExpr(*SOURCE_COLUMNS).coalesce(2).write.parquet(str(folder))


def _write_facts(spark: SparkSession, workload: Workload, keys: str, file: Path) -> None:
    source = spark.read.parquet(str(workload.source(keys)))
    target = spark.read.format("delta").load(str(workload.target("plain")))
    kept = target.join(F.broadcast(source.select("id")), "id", "left_anti")
    file.write_text(json.dumps(facts(kept.unionByName(source), every_column=True)))


def _make(path: Path, build: Callable[[Path], object]) -> None:
    # Built beside and renamed at the end, so that an interrupted run leaves nothing half made.
    if path.exists():
        return
    unfinished = path.with_name(f"{path.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    build(unfinished)
    unfinished.rename(path)
