"""Tables of Spark's other file formats: made, appended to, and overwritten, by Spark's writer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from uuid import uuid4

from pyspark.errors import PySparkException
from pyspark.sql import Observation
from pyspark.sql import functions as F
from pyspark.sql.utils import is_remote

from .. import engine
from ..engine.spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..settings import TableConfig

PARTITIONS = "spark.sql.sources.partitionOverwriteMode"


def create(table: TableConfig, source: DataFrame, name: str) -> engine.MergeResult:
    """The table made anew; what was there is dropped first, since these formats have no history."""
    _refuse_missing(source.sparkSession, table.file_format)
    source.sparkSession.sql(f"DROP TABLE IF EXISTS {name}")
    counted = Observation()
    writer = source.observe(counted, F.count(F.lit(1)).alias("rows")).write
    writer = writer.format(table.file_format).options(**dict(table.options))
    if table.partition_by:
        writer = writer.partitionBy(*table.partition_by)
    if table.location:
        writer = writer.option("path", table.location)
    writer.mode("error").saveAsTable(name)
    return _result(counted, name, table)


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


def add(table: TableConfig, strategy: str, source: DataFrame, name: str) -> engine.MergeResult:
    """The rows appended, or in place of their partitions (without partitions: of every row)."""
    spark = source.sparkSession
    columns = [quoted(column) for column in spark.table(name).columns]
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
    return engine.MergeResult(None, "native", metrics, plan)
