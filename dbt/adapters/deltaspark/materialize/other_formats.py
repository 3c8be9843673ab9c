"""Tables of Spark's other file formats: made, appended to, and overwritten, by Spark's writer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING
from uuid import uuid4

from dbt_common.exceptions import DbtRuntimeError
from pyspark.errors import PySparkException
from pyspark.sql import Observation
from pyspark.sql import functions as F
from pyspark.sql.utils import is_remote

from .. import engine
from ..catalog import describing_statements, is_delta, is_in
from ..engine.delta import TIME_ZONE, refuse_repeated_hours
from ..engine.errors import add_note
from ..engine.spec import quoted
from .other_tables import FAILURES, made_beside, name_beside

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..settings import TableConfig

NOT_A_PATTERN = ("__globPaths__", "false")
"""Spark's option of a table whose folder's name means itself, and not all that are like it."""
IN_PATTERNS = re.compile(r"[][{}*?\\]")
PARTITIONS = "spark.sql.sources.partitionOverwriteMode"


def create(table: TableConfig, source: DataFrame, name: str) -> engine.MergeResult:
    """The table made anew; what was there stays until the new rows are, and leaves no history."""
    spark = source.sparkSession
    _refuse_missing(spark, table.file_format)
    _refuse_repeated_hours(table, source)
    if table.location is not None:
        table = replace(table, location=engine.whole_location(spark, table.location))
    if not spark.catalog.tableExists(name):
        return _made(table, source, name)
    if table.location is None:
        return _made_after(table, source, name)
    if not is_in(spark, name, table.location):
        return made_beside(spark, name, partial(_made, table, source))
    if is_delta(spark, name):
        raise DbtRuntimeError(
            f"{name} is a Delta table in {table.location}, and file_format is {table.file_format};"
            " nothing was written. Drop it and remove the folder, or choose another location_root."
        )
    return _made_after(table, source, name)


def _made(
    table: TableConfig, source: DataFrame, name: str, mode: str = "error"
) -> engine.MergeResult:
    spark, counted = source.sparkSession, Observation()
    writer = source.observe(counted, F.count(F.lit(1)).alias("rows")).write
    writer = writer.format(table.file_format).options(**dict(table.options))
    if table.partition_by:
        writer = writer.partitionBy(*table.partition_by)
    if table.location:
        writer = writer.option("path", table.location)
    if IN_PATTERNS.search(table.location or str(spark.conf.get("spark.sql.warehouse.dir"))):
        writer = writer.option(*NOT_A_PATTERN)
    writer.mode(mode).saveAsTable(name)
    for statement in describing_statements(name, table):
        spark.sql(statement)
    return _result(counted, name, table)


def _made_after(table: TableConfig, source: DataFrame, name: str) -> engine.MergeResult:
    """In the old table's folder, from another table that has the rows already.

    That one is not renamed: where Spark's catalog is in memory, partitions keep their old folders.
    """
    spark, (beside, _) = source.sparkSession, name_beside(name)
    _made(replace(table, location=None), source, beside)
    if table.location is None:
        spark.sql(f"DROP TABLE {name}")
    try:
        mode = "error" if table.location is None else "overwrite"
        result = _made(table, spark.table(beside), name, mode)
    except FAILURES as error:
        add_note(error, f"The new rows are in {beside}, and {name} is gone, or has some of them.")
        raise
    spark.sql(f"DROP TABLE {beside}")
    return result


def _refuse_repeated_hours(table: TableConfig, source: DataFrame) -> None:
    """Folders are named by the session's clock, as those of a Delta table are."""
    zone = str(source.sparkSession.conf.get(TIME_ZONE))
    refuse_repeated_hours(source.schema, table.partition_by, zone)


def _refuse_missing(spark: SparkSession, file_format: str) -> None:
    """Raises Spark's own error where it has no such format, as long as the old table is there."""
    if is_remote():
        _refuse_missing_there(spark, file_format)
        return
    sources = spark._jvm.org.apache.spark.sql.execution.datasources.DataSource  # type: ignore[union-attr]
    sources.lookupDataSource(file_format, spark._jsparkSession.sessionState().conf())


def _refuse_missing_there(spark: SparkSession, file_format: str) -> None:
    """A server is asked for a table at a path where none is: it looks for the format first."""
    try:
        spark.read.format(file_format).load(f"/{uuid4().hex}").schema  # noqa: B018
    except PySparkException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise


def other_partitions(
    table: TableConfig, strategy: str, source: DataFrame, name: str
) -> Iterator[str]:
    """A problem where the rows would not give way by the partitions that the model says."""
    columns = source.sparkSession.catalog.listColumns(name)
    found = [column.name for column in columns if column.isPartition]
    wanted = {each.lower() for each in table.partition_by}
    if strategy == "insert_overwrite" and wanted and wanted != {each.lower() for each in found}:
        yield (
            f"partition_by is {list(table.partition_by)}, and the table is partitioned by {found},"
            " by which insert_overwrite would replace its rows; run it with --full-refresh"
        )


def add(table: TableConfig, strategy: str, source: DataFrame, name: str) -> engine.MergeResult:
    """The rows appended, or in place of their partitions (without partitions: of every row)."""
    spark = source.sparkSession
    columns = [quoted(column) for column in spark.table(name).columns]
    _refuse_repeated_hours(table, source)
    counted = Observation()
    rows = source.select(*columns).observe(counted, F.count(F.lit(1)).alias("rows"))
    with _replacing_partitions(spark, dynamic=bool(table.partition_by)):
        rows.write.insertInto(name, overwrite=strategy == "insert_overwrite")
    return _result(counted, name, table)


@contextmanager
def _replacing_partitions(spark: SparkSession, *, dynamic: bool) -> Iterator[None]:
    """Only the partitions that get new rows give way; a writer's option has no effect here."""
    before = spark.conf.get(PARTITIONS)
    spark.conf.set(PARTITIONS, "dynamic" if dynamic else "static")
    try:
        yield
    finally:
        spark.conf.set(PARTITIONS, str(before))


def _result(counted: Observation, name: str, table: TableConfig) -> engine.MergeResult:
    rows = int(counted.get["rows"])
    metrics = engine.OperationMetrics.of({"numOutputRows": rows})
    reason = f"Spark's writer makes {table.file_format} tables"
    plan = engine.ChangePlan("WRITE", "native", reason, name)
    return engine.MergeResult(None, "native", metrics, plan, counts_all=False)
