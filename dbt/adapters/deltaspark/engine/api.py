"""The functions of the Python API: a MERGE statement, a merge of a DataFrame, a write."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from .backend import backend
from .delta import naming_faults
from .merge import MergeFrame, MergeText
from .spec import MergeSpec, Mode, WriteSpec

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from datetime import datetime

    from pyspark.sql import DataFrame, SparkSession

    from .builder import DeltaTarget
    from .definition import Alteration
    from .result import MergeResult
    from .spec import TableDefinition


@naming_faults()
def merge_into(
    spark: SparkSession,
    statement: str,
    *,
    conflict_retries: int = 5,
    user_metadata: str | None = None,
    native: bool = False,
) -> MergeResult:
    """Run a MERGE statement, in the full grammar of Delta's MERGE.

    `native` runs it through Delta's own MERGE. Raises DuplicateMatchError where several source
    rows match one target row, SourceReadsTargetError, and what Delta raises for the same
    statement; after any error the table is as it was.
    """
    request = MergeText(spark, statement)
    return backend().merge(
        request,
        conflict_retries=conflict_retries,
        user_metadata=user_metadata,
        use_native=native,
    )


@naming_faults()
def merge_frame(
    target: DeltaTarget,
    source: DataFrame,
    spec: MergeSpec,
    *,
    source_sql: str | None = None,
    conflict_retries: int = 5,
    user_metadata: str | None = None,
    idempotency_key: str | None = None,
) -> MergeResult:
    """Merge the DataFrame by the spec.

    `source_sql` is the query that the DataFrame came from: with it a merge whose source reads the
    target can be replayed after a conflict. A merge that carries an `idempotency_key` which is in
    the table's log does nothing.
    """
    return backend().merge(
        MergeFrame(target.name, source, spec, source_sql),
        conflict_retries=conflict_retries,
        user_metadata=user_metadata,
        idempotency_key=idempotency_key,
    )


@naming_faults()
def write(
    source: DataFrame,
    target: DeltaTarget,
    mode: Mode = "append",
    *,
    replace_where: str | None = None,
    dynamic_partitions: bool = False,
    replace_using: Sequence[str] = (),
    replace_on: str | None = None,
    target_alias: str | None = None,
    source_alias: str | None = None,
    merge_schema: bool | None = None,
    overwrite_schema: bool = False,
    partition_by: Sequence[str] = (),
    cluster_by: Sequence[str] = (),
    properties: Mapping[str, str] | None = None,
    comment: str | None = None,
    columns: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    user_metadata: str | None = None,
    idempotency_key: str | None = None,
    conflict_retries: int = 5,
    source_sql: str | None = None,
) -> MergeResult:
    """Write the rows to the table by column name, each cast by store assignment, in one commit.

    A table that is not there is created, in that commit. `overwrite` replaces every row; with
    `replace_where` the rows for which the predicate is true, which the new rows must satisfy too;
    with `dynamic_partitions` the partitions that get new rows; with `replace_using` the rows that
    equal a new one in these columns, with `replace_on` those that match one by the condition. The
    table's columns stay, but for new ones under `merge_schema` (where that is not given, the
    session says: spark.databricks.delta.schema.autoMerge.enabled); under `overwrite_schema` the
    table is replaced by the source's columns and what else is said here. History stays. A source
    gives the table's partition columns, but for those that Delta fills in.

    `columns` is for tables that are made or replaced: what stands after a column's type in CREATE
    TABLE, such as NOT NULL; a column that the source does not have begins with its type. All of it
    and the properties are in force for the first row.

    `source_sql` is the query that the DataFrame came from: with it rows that are computed from the
    table can be written although another writer has changed its columns meanwhile.

    A write that carries an `idempotency_key` which is in the table's log does nothing. Raises
    SourceReadsTargetError for such rows without `source_sql`, SpecError for arguments that exclude
    each other, ReplaceWhereViolationError, EngineError where the table is there and the mode is
    `error`, and what Delta's writer raises; after any error the table is as it was.
    """
    spec = WriteSpec(
        mode=mode,
        replace_where=replace_where,
        dynamic_partitions=dynamic_partitions,
        replace_using=tuple(replace_using),
        replace_on=replace_on,
        target_alias=target_alias,
        source_alias=source_alias,
        merge_schema=merge_schema,
        overwrite_schema=overwrite_schema,
        partition_by=tuple(partition_by),
        cluster_by=tuple(cluster_by),
        properties=tuple(_placed(source.sparkSession, properties or {}).items()),
        comment=comment,
        columns=tuple((columns or {}).items()),
        options=tuple((options or {}).items()),
        user_metadata=user_metadata,
        idempotency_key=idempotency_key,
    )
    return backend().write(
        source, target.name, spec, conflict_retries=conflict_retries, source_sql=source_sql
    )


def _placed(spark: SparkSession, properties: Mapping[str, str]) -> dict[str, str]:
    """The properties with the whole path of the location: a relative one is in the warehouse.

    Of a relative one Delta's log lies in the process's folder, and the catalog's entry elsewhere.
    """
    location = properties.get("location")
    return {**properties, **({"location": whole_location(spark, location)} if location else {})}


def whole_location(spark: SparkSession, location: str) -> str:
    """The location; a relative one with the warehouse before it. A scheme ends before a slash."""
    if location.startswith("/") or ":" in location.partition("/")[0]:
        return location
    warehouse = str(spark.conf.get("spark.sql.warehouse.dir")).rstrip("/")
    return f"{warehouse}/{location}"


def altered(
    target: DeltaTarget,
    definition: TableDefinition,
    *,
    conflict_retries: int = 5,
    user_metadata: str | None = None,
    idempotency_key: str | None = None,
) -> AbstractContextManager[Alteration]:
    """Make the table what the definition says, for the block that writes to it.

    Everything that differs is one commit (turning column mapping on is one of its own); where
    nothing differs nothing is committed. Where the block raises, the table is put back, unless
    someone changed its definition meanwhile: a note of the error says so. Column mapping stays on.
    Over Spark Connect each difference is a commit. With the `idempotency_key` of a write that is in
    the table's log nothing is changed.

    Raises ConstraintViolationError where rows break a new check or NOT NULL, SpecError for columns
    that are not there or cannot be dropped, and what Delta raises; nothing is committed then. In
    the process a write in the block raises EngineError where another writer has changed the table's
    definition meanwhile.
    """
    return backend().altered(
        target,
        definition,
        conflict_retries=conflict_retries,
        user_metadata=user_metadata,
        idempotency_key=idempotency_key,
    )


def observed(spark: SparkSession, table: str, *runs: Callable[[], object]) -> MergeResult:
    """Run the caller's own statements in order, and tell what the last one that committed did.

    A run's commit is the one that the table got meanwhile. Of several it is not known which are the
    caller's: UNKNOWN_VERSION, and no metrics.
    """
    return backend().observed(spark, table, *runs)


def last_commit(spark: SparkSession, table: str) -> datetime:
    """When the table's newest version was committed, in UTC: what its log says, nothing is read.

    Raises AnalysisException where there is no such table, or it is none of Delta's.
    """
    return backend().last_commit(spark, table)
