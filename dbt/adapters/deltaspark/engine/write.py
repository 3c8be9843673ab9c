"""Appending to a table and replacing one, by column name, through Delta's writers; one commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Protocol

from delta.tables import DeltaTable
from pyspark.sql.functions import col, lit

from .errors import EngineError
from .history import newest_commit, newest_version
from .jvm import JavaObject, Jvm
from .merge import MergeResult
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
    jvm = Jvm(spark)
    before = newest_version(jvm, _log(spark, name)) if exists else None
    if not exists or mode != "ignore":
        extra = {"mergeSchema": "true"} if merge_schema else {}
        extra |= {"userMetadata": user_metadata} if user_metadata is not None else {}
        writer = source.writeTo(name).options(**(options or {}), **extra)
        if not exists or (overwrite_schema and mode == "overwrite"):
            _described(writer, partition_by, properties or {}, comment).createOrReplace()
        else:
            _add_rows(writer, mode)
    commit = newest_commit(jvm, _log(spark, name), before)
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


def _log(spark: SparkSession, name: str) -> JavaObject:
    return DeltaTable.forName(spark, name)._jdt.deltaLog()
