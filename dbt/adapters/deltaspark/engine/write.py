"""Appending to a table and replacing one, by column name, through Delta's writers; one commit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from delta.tables import DeltaTable
from pyspark.sql.functions import col, lit

from .errors import EngineError
from .files import Commit
from .jvm import DELTA, JavaObject, Jvm
from .merge import MergeResult
from .metrics import OperationMetrics
from .plan import MergePlan
from .spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriterV2, SparkSession

Mode = Literal["append", "overwrite", "error", "ignore"]


class Target(Protocol):
    """A table by the SQL text of its name."""

    @property
    def name(self) -> str: ...


def write(
    source: DataFrame,
    target: Target,
    mode: Mode = "append",
    *,
    partition_by: Sequence[str] = (),
    properties: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    comment: str | None = None,
    merge_schema: bool = False,
    overwrite_schema: bool = False,
    user_metadata: str | None = None,
) -> MergeResult:
    """Adds or replaces rows, each column cast to the table's type by store assignment.

    A table that is not there is created. `overwrite` keeps the table's columns and properties;
    with `overwrite_schema` it gets those of the source and of this call. History stays.
    """
    spark, name = source.sparkSession, target.name
    exists = spark.catalog.tableExists(name)
    if exists and mode == "error":
        raise EngineError(f"{name} exists already; write to it with mode append or overwrite")
    before = _version(spark, name) if exists else None
    if not exists or mode != "ignore":
        extra = {"mergeSchema": "true"} if merge_schema else {}
        extra |= {"userMetadata": user_metadata} if user_metadata is not None else {}
        writer = source.writeTo(name).options(**(options or {}), **extra)
        if not exists or (overwrite_schema and mode == "overwrite"):
            _described(writer, partition_by, properties or {}, comment).createOrReplace()
        else:
            _add_rows(writer, mode)
    commit = _commit(spark, name, before)
    plan = MergePlan("native", f"a write with mode {mode}", name)
    return MergeResult(commit.version, "native", commit.metrics, plan)


def _add_rows(writer: DataFrameWriterV2, mode: Mode) -> None:
    if mode == "overwrite":
        writer.overwrite(lit(True))
    else:
        writer.append()


def _described(
    writer: DataFrameWriterV2,
    partition_by: Sequence[str],
    properties: Mapping[str, str],
    comment: str | None,
) -> DataFrameWriterV2:
    writer = writer.using("delta")
    for key, value in properties.items():
        writer = writer.tableProperty(key, value)
    if comment is not None:
        writer = writer.tableProperty("comment", comment)
    if partition_by:
        writer = writer.partitionedBy(*(col(quoted(each)) for each in partition_by))
    return writer


def _commit(spark: SparkSession, name: str, before: int | None) -> Commit:
    """What the newest commit says of itself, if it came after the version before."""
    jvm = Jvm(spark)
    log = _log(spark, name)
    version = log.update(False, jvm.none, jvm.none).version()
    if version == before:
        return Commit(None, OperationMetrics())
    # One small file; DESCRIBE HISTORY starts a Spark job to read it.
    file = jvm.type(f"{DELTA}.util.FileNames").unsafeDeltaFile(log.logPath(), version)
    lines = map(json.loads, jvm.items(log.store().read(file, log.newDeltaHadoopConf())))
    info: dict[str, Any] = next((line["commitInfo"] for line in lines if "commitInfo" in line), {})
    metrics = info.get("operationMetrics") or {}
    return Commit(version, OperationMetrics.of({key: int(each) for key, each in metrics.items()}))


def _version(spark: SparkSession, name: str) -> int:
    jvm = Jvm(spark)
    version: int = _log(spark, name).update(False, jvm.none, jvm.none).version()
    return version


def _log(spark: SparkSession, name: str) -> JavaObject:
    return DeltaTable.forName(spark, name)._jdt.deltaLog()
