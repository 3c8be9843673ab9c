"""What writers do to a table before us: its columns are k and v, and v tells its rows apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pyarrow as pa
from deltalake import DeltaTable, write_deltalake
from targets import with_conf

if TYPE_CHECKING:
    from random import Random

    from pyspark.sql import SparkSession

    from .values import Kind, Value

TIMES = "spark.sql.parquet.outputTimestampType"
CALENDAR = "spark.sql.parquet.datetimeRebaseModeInWrite"
CONFS = (
    *((TIMES, kind) for kind in ("INT96", "TIMESTAMP_MICROS", "TIMESTAMP_MILLIS")),
    *((CALENDAR, mode) for mode in ("CORRECTED", "LEGACY")),
)
"""How Spark writes times."""


@dataclass(slots=True)
class Written:
    """A table that is being written, and what each writer did to it."""

    spark: SparkSession
    random: Random
    kind: Kind
    path: str
    said: list[str] = field(default_factory=list)
    rows: int = 0

    @property
    def name(self) -> str:
        return f"delta.`{self.path}`"

    def drawn(self) -> list[tuple[Value | None, int]]:
        """New rows, with null as a key now and then."""
        count = self.random.choice((1, 2, 2, 3, 6))
        numbers = range(self.rows, self.rows + count)
        self.rows += count
        keys = self.random.choices(self.kind.values, k=min(2, count)) * count
        return [
            (None if self.random.random() < 0.1 else key, n)
            for key, n in zip(keys, numbers, strict=False)
        ]

    def some_row(self) -> int:
        return self.random.randrange(max(1, self.rows))


Step = Callable[[Written], str]


def values(rows: list[tuple[Value | None, int]]) -> str:
    return ", ".join(f"({'NULL' if key is None else key.sql}, {n})" for key, n in rows)


def as_arrow(kind: Kind, rows: list[tuple[Value | None, int]]) -> pa.Table:
    keys = pa.array([None if key is None else key.arrow for key, _ in rows], kind.arrow)
    return pa.table({"k": keys, "v": pa.array([n for _, n in rows], pa.int32())})


def created_by_spark(table: Written, *, vectors: bool) -> str:
    return _sql(
        table,
        f"CREATE TABLE {table.name} (k {table.kind.name}, v INT) USING delta"
        f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{str(vectors).lower()}')",
    )


def with_vectors(table: Written) -> str:
    return _sql(
        table,
        f"ALTER TABLE {table.name} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
    )


def _sql(table: Written, statement: str, *confs: tuple[str, str]) -> str:
    with with_conf(table.spark, confs):
        table.spark.sql(statement)
    return " ".join((statement, *(f"-- {name} = {value}" for name, value in confs)))


def _spark_appends(table: Written) -> str:
    rows = values(table.drawn())
    return _sql(
        table,
        f"INSERT INTO {table.name} SELECT /*+ COALESCE(1) */"
        f" CAST(k AS {table.kind.name}), CAST(v AS INT) FROM VALUES {rows} AS s(k, v)",
        table.random.choice(CONFS),
    )


def _spark_deletes(table: Written) -> str:
    return _sql(table, f"DELETE FROM {table.name} WHERE v = {table.some_row()}")


def _spark_updates(table: Written) -> str:
    return _sql(table, f"UPDATE {table.name} SET v = v + 100 WHERE v = {table.some_row()}")


def _spark_optimizes(table: Written) -> str:
    return _sql(table, f"OPTIMIZE {table.name}")


def _spark_checkpoints(table: Written) -> str:
    jvm = table.spark._jvm
    assert jvm is not None
    jvm.org.apache.spark.sql.delta.DeltaLog.forTable(
        table.spark._jsparkSession, table.path
    ).checkpoint()
    return "a checkpoint by Spark"


def delta_rs_appends(table: Written) -> str:
    rows = table.drawn()
    write_deltalake(table.path, as_arrow(table.kind, rows), mode="append")
    return f"delta-rs appends {values(rows)}"


def _delta_rs_deletes(table: Written) -> str:
    predicate = f"v = {table.some_row()}"
    DeltaTable(table.path).delete(predicate)
    return f"delta-rs deletes {predicate}"


def _delta_rs_updates(table: Written) -> str:
    predicate = f"v = {table.some_row()}"
    DeltaTable(table.path).update({"v": "CAST(v + 100 AS INT)"}, predicate=predicate)
    return f"delta-rs updates {predicate}"


def _delta_rs_merges(table: Written) -> str:
    rows = [*table.drawn(), (table.random.choice(table.kind.values), table.some_row())]
    rows = list({n: (key, n) for key, n in rows}.values())
    (
        DeltaTable(table.path)
        .merge(as_arrow(table.kind, rows), "t.v = s.v", source_alias="s", target_alias="t")
        .when_matched_update_all()
        .when_not_matched_insert_all()
        .execute()
    )
    return f"delta-rs merges {values(rows)} by v"


def _delta_rs_optimizes(table: Written) -> str:
    DeltaTable(table.path).optimize.compact()
    return "delta-rs compacts"


def _delta_rs_checkpoints(table: Written) -> str:
    DeltaTable(table.path).create_checkpoint()
    return "a checkpoint by delta-rs"


BY_SPARK: tuple[Step, ...] = (
    _spark_appends,
    _spark_appends,
    _spark_deletes,
    _spark_updates,
    _spark_optimizes,
    _spark_checkpoints,
)
BY_DELTA_RS: tuple[Step, ...] = (
    delta_rs_appends,
    delta_rs_appends,
    delta_rs_appends,
    _delta_rs_deletes,
    _delta_rs_updates,
    _delta_rs_merges,
    _delta_rs_optimizes,
    _delta_rs_checkpoints,
)


def write(table: Written) -> None:
    """A table by Spark alone with vectors; or by both, and with vectors at the end, or none."""
    random = table.random
    if random.random() < 0.25:
        table.said.append(created_by_spark(table, vectors=True))
        steps = [_spark_appends, *random.choices(BY_SPARK, k=2)]
    else:
        if random.random() < 0.4:
            table.said.append(created_by_spark(table, vectors=False))
        spark = random.choices(BY_SPARK, k=random.choice((0, 0, 1, 1, 2)))
        others = [*random.choices(BY_DELTA_RS, k=random.choice((1, 2, 3))), *spark]
        random.shuffle(others)
        steps = [delta_rs_appends, *others, *[with_vectors] * random.choice((0, 1))]
    for step in steps:
        table.said.append(step(table))
