"""Tables and views as a golden case describes them, built on disk."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pyspark.sql.types import StructType

if TYPE_CHECKING:
    from golden import GoldenCase, Variant
    from pyspark.sql import DataFrame, SparkSession

SOURCE = "merge_source"
OPTIMIZED_WRITES = ("delta.autoOptimize.optimizeWrite", "true")


def build_target(spark: SparkSession, case: GoldenCase, variant: Variant, path: Path) -> None:
    name = f"delta.`{path}`"
    properties = {
        "delta.enableDeletionVectors": str(variant.deletion_vectors).lower(),
        **dict(case.properties),
    }
    texts = ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
    columns = ", ".join(f"`{column}`" for column in variant.partition_by)
    partitioned_by = f"PARTITIONED BY ({columns})" if columns else ""
    spark.sql(
        f"CREATE TABLE {name} ({case.target.columns}) USING delta {partitioned_by}"
        f" TBLPROPERTIES ({texts})"
    )
    if case.target.files:
        _insert(spark, name, case.target.files)
        files = len([*path.rglob("part-*.parquet")])
        fewer = variant.partition_by or OPTIMIZED_WRITES in case.properties
        assert fewer or files == len(case.target.files), f"{files} files"
    with _kept(spark, [s.split()[1] for s in case.before if s.startswith("SET ")]):
        for statement in case.before:
            spark.sql(statement.format(target=name))


def _insert(spark: SparkSession, name: str, texts: tuple[str, ...]) -> None:
    """In one commit, with a task and so a file for each text.

    A union of parts that are one partition each is one partition, too, unless it is told otherwise.
    """
    parts = (f"SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}" for rows in texts)
    with with_conf(spark, (("spark.sql.unionOutputPartitioning", "false"),)):
        spark.sql(f"INSERT INTO {name} {' UNION ALL '.join(parts)}")


def build_source(spark: SparkSession, case: GoldenCase, folder: Path) -> None:
    if case.source is None:
        return
    schema = schema_of(case.source.columns)
    frame = rows_as(spark, ", ".join(case.source.files), schema)
    if case.source_is_delta:
        # Of several files, and such as the engine reads in place.
        rows = frame.repartition(3).write.option("delta.enableDeletionVectors", "true")
        rows.format("delta").save(str(folder / SOURCE))
        frame = spark.read.format("delta").load(str(folder / SOURCE))
    frame.createOrReplaceTempView(SOURCE)


def rows_as(spark: SparkSession, rows: str, schema: StructType) -> DataFrame:
    """The VALUES text as a frame of that schema, cast by position."""
    if not rows:
        return spark.createDataFrame([], schema)
    names = ", ".join(f"c{number}" for number in range(len(schema)))
    columns = [
        f"CAST(c{number} AS {field.dataType.simpleString()}) AS {_quoted(field.name)}"
        for number, field in enumerate(schema)
    ]
    return spark.sql(f"SELECT {', '.join(columns)} FROM VALUES {rows} AS v({names})")


def schema_of(columns: str) -> StructType:
    schema = StructType.fromDDL(columns)
    assert isinstance(schema, StructType)
    return schema


@contextmanager
def copy_of(spark: SparkSession, case: GoldenCase, seed: Path, path: Path) -> Iterator[str]:
    """A copy of the table's folder, and the name that the statement calls it by."""
    shutil.copytree(seed, path)
    if case.name is None:
        yield f"delta.`{path}`"
        return
    spark.sql(f"CREATE TABLE {case.name} USING delta LOCATION '{path}'")
    try:
        yield case.name
    finally:
        spark.sql(f"DROP TABLE {case.name}")


@contextmanager
def with_conf(spark: SparkSession, conf: tuple[tuple[str, str], ...]) -> Iterator[None]:
    with _kept(spark, [name for name, _ in conf]):
        for name, value in conf:
            spark.conf.set(name, value)
        yield


@contextmanager
def _kept(spark: SparkSession, confs: Iterable[str]) -> Iterator[None]:
    """What the block sets these to is put back after it."""
    before = {name: spark.conf.get(name, None) for name in confs}
    try:
        yield
    finally:
        for name, value in before.items():
            spark.conf.unset(name) if value is None else spark.conf.set(name, value)


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"
