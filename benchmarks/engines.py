"""The engines that are compared: each merges the same source into its own copy of the table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.dataset  # type: ignore[import-untyped]
from deltalake import DeltaTable
from workload import DATA

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from workload import Table

SOURCE_VIEW = "benchmark_source"


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to merge; `run` gets None for the session where the engine is not Spark."""

    name: str
    what: str
    table: Table
    run: Callable[[SparkSession | None, Path, Path], str]
    on_spark: bool = True
    merges: bool = True


def upsert(table: Path, source: str = SOURCE_VIEW, only: str = "") -> str:
    """The one statement that every Spark engine runs; `only` is a condition of the update."""
    return (
        f"MERGE INTO delta.`{table}` t USING {source} s ON t.id = s.id "
        f"WHEN MATCHED {only} THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    )


def _ours(spark: SparkSession | None, table: Path, source: Path) -> str:
    return engine.merge_into(_with_source(spark, source), upsert(table)).route


def _checkpointed(spark: SparkSession | None, table: Path, source: Path) -> str:
    assert spark is not None
    spark.sparkContext.setCheckpointDir(str(DATA / "checkpoints"))
    try:
        return _ours(spark, table, source)
    finally:
        spark.sparkContext._jsc.sc().setCheckpointDir(None)  # Spark has no public way back


def _delta(spark: SparkSession | None, table: Path, source: Path) -> str:
    _with_source(spark, source).sql(upsert(table))
    return ""


def _delta_rs(_: SparkSession | None, table: Path, source: Path, *, streamed: bool) -> str:
    rows = pyarrow.dataset.dataset(source).to_table()
    merge = DeltaTable(table).merge(
        rows, "t.id = s.id", source_alias="s", target_alias="t", streamed_exec=streamed
    )
    merge.when_matched_update_all().when_not_matched_insert_all().execute()
    return ""


def _append(spark: SparkSession | None, table: Path, source: Path) -> str:
    rows = _with_source(spark, source).table(SOURCE_VIEW)
    rows.write.format("delta").mode("append").save(str(table))
    return ""


def _with_source(spark: SparkSession | None, source: Path) -> SparkSession:
    assert spark is not None
    spark.read.parquet(str(source)).createOrReplaceTempView(SOURCE_VIEW)
    return spark


DELTA_RS = partial(_delta_rs, streamed=True)
# Only a source that is not streamed lets delta-rs prune files by the source's key range.
DELTA_RS_PRUNED = partial(_delta_rs, streamed=False)

ENGINES = (
    Engine("ours", "this project's engine, deletion vectors", "vectors", _ours),
    Engine("ours-checkpointed", "the same with spark.checkpoint.dir", "vectors", _checkpointed),
    Engine("ours-cow", "this project's engine, copy-on-write", "plain", _ours),
    Engine("delta-dv", "Delta's MERGE, deletion vectors", "vectors", _delta),
    Engine("delta-cow", "Delta's MERGE, copy-on-write", "plain", _delta),
    Engine("delta-rs", "delta-rs's merge, its defaults", "plain", DELTA_RS, on_spark=False),
    Engine("delta-rs-pruned", "streamed_exec=False", "plain", DELTA_RS_PRUNED, on_spark=False),
    Engine("floor", "no merge: read the source, append it", "vectors", _append, merges=False),
)
