"""The Python API: a table to change, an immutable builder of merges, and writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .change import change
from .merge import explain, merge
from .merge_request import MergeFrame, MergeText
from .row_change import ChangeRequest
from .spec import (
    STAR,
    Assignments,
    Delete,
    Insert,
    MergeSpec,
    Mode,
    Update,
    WriteSpec,
    quoted,
)
from .storage_errors import naming_storage_faults
from .write import write_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from .plan import MergePlan
    from .result import MergeResult


@dataclass(frozen=True, slots=True)
class DeltaTarget:
    """A Delta table to write to, by the SQL text of its name."""

    spark: SparkSession
    name: str

    @classmethod
    def for_name(cls, spark: SparkSession, name: str) -> DeltaTarget:
        """The table of this name as SQL writes it, with backticks where it needs them."""
        return cls(spark, name)

    @classmethod
    def for_path(cls, spark: SparkSession, path: str) -> DeltaTarget:
        """The table in this folder."""
        return cls(spark, f"delta.{quoted(path)}")

    def schema(self) -> StructType:
        """The table's columns now; raises AnalysisException where there is no such table."""
        return self.spark.table(self.name).schema

    @naming_storage_faults()
    def delete(
        self,
        condition: str | None = None,
        *,
        conflict_retries: int = 5,
        user_metadata: str | None = None,
    ) -> MergeResult:
        """Delete the rows for which the condition is true; without one, every row.

        Where there are none nothing is committed. Raises what Delta's DELETE raises; after any
        error the table is as it was.
        """
        request = ChangeRequest(self.spark, self.name, condition)
        return change(request, conflict_retries=conflict_retries, user_metadata=user_metadata)

    @naming_storage_faults()
    def update(
        self,
        assignments: Mapping[str, str],
        condition: str | None = None,
        *,
        conflict_retries: int = 5,
        user_metadata: str | None = None,
    ) -> MergeResult:
        """Set the columns (names to SQL over the row as it was) where the condition is true.

        Generated columns are computed anew. Where there is no such row nothing is committed.
        Raises what Delta's UPDATE raises, and SpecError without an assignment; after any error
        the table is as it was.
        """
        request = ChangeRequest.update(self.spark, self.name, assignments, condition)
        return change(request, conflict_retries=conflict_retries, user_metadata=user_metadata)

    def merge(
        self,
        source: DataFrame,
        condition: str,
        *,
        source_alias: str | None = None,
        target_alias: str | None = None,
    ) -> MergeBuilder:
        """Start a merge of the source on the condition; nothing runs before `execute`."""
        return MergeBuilder(self, source, condition, source_alias, target_alias)


@dataclass(frozen=True, slots=True)
class MergeBuilder:
    """A merge in the making; every call returns a new one.

    Columns in assignments are names as SQL writes them; values are SQL over both aliases.
    """

    target: DeltaTarget
    source: DataFrame
    condition: str
    source_alias: str | None = None
    target_alias: str | None = None
    matched: tuple[Update | Delete, ...] = ()
    not_matched: tuple[Insert, ...] = ()
    not_matched_by_source: tuple[Update | Delete, ...] = ()
    evolve_schema: bool | None = None

    def when_matched_update_all(self, condition: str | None = None) -> MergeBuilder:
        """Set every column of a matched row from the source's column of the same name."""
        return replace(self, matched=(*self.matched, Update(STAR, condition)))

    def when_matched_update(
        self, assignments: Mapping[str, str], condition: str | None = None
    ) -> MergeBuilder:
        """Set the given columns of a matched row."""
        return replace(self, matched=(*self.matched, Update(_pairs(assignments), condition)))

    def when_matched_delete(self, condition: str | None = None) -> MergeBuilder:
        """Delete a matched row."""
        return replace(self, matched=(*self.matched, Delete(condition)))

    def when_not_matched_insert_all(self, condition: str | None = None) -> MergeBuilder:
        """Insert a source row that matches nothing, by column name."""
        return replace(self, not_matched=(*self.not_matched, Insert(STAR, condition)))

    def when_not_matched_insert(
        self, assignments: Mapping[str, str], condition: str | None = None
    ) -> MergeBuilder:
        """Insert the given columns; the others get their default, or null."""
        insert = Insert(_pairs(assignments), condition)
        return replace(self, not_matched=(*self.not_matched, insert))

    def when_not_matched_by_source_update(
        self, assignments: Mapping[str, str], condition: str | None = None
    ) -> MergeBuilder:
        """Set the given columns of a target row that no source row matches."""
        update = Update(_pairs(assignments), condition)
        return replace(self, not_matched_by_source=(*self.not_matched_by_source, update))

    def when_not_matched_by_source_delete(self, condition: str | None = None) -> MergeBuilder:
        """Delete a target row that no source row matches."""
        delete = Delete(condition)
        return replace(self, not_matched_by_source=(*self.not_matched_by_source, delete))

    def with_schema_evolution(self) -> MergeBuilder:
        """Let the merge add the source's new columns to the table."""
        return replace(self, evolve_schema=True)

    @naming_storage_faults()
    def execute(self, *, conflict_retries: int = 5) -> MergeResult:
        """Run the merge; see `merge_into` for what it raises."""
        return merge(self._request(), conflict_retries=conflict_retries)

    def explain(self) -> str:
        """The plan as text; evaluates the source, commits nothing."""
        return self.plan().explain()

    def plan(self) -> MergePlan:
        """The plan as a value; evaluates the source, commits nothing."""
        return explain(self._request())

    def _request(self) -> MergeFrame:
        spec = MergeSpec(
            on=self.condition,
            matched=self.matched,
            not_matched=self.not_matched,
            not_matched_by_source=self.not_matched_by_source,
            evolve_schema=self.evolve_schema,
            source_alias=self.source_alias,
            target_alias=self.target_alias,
        )
        return MergeFrame(self.target.name, self.source, spec)


def _pairs(assignments: Mapping[str, str]) -> Assignments:
    return tuple(assignments.items())


@naming_storage_faults()
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
    return merge(
        request,
        conflict_retries=conflict_retries,
        user_metadata=user_metadata,
        use_native=native,
    )


@naming_storage_faults()
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
    return merge(
        MergeFrame(target.name, source, spec, source_sql),
        conflict_retries=conflict_retries,
        user_metadata=user_metadata,
        idempotency_key=idempotency_key,
    )


@naming_storage_faults()
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

    A write that carries an `idempotency_key` which is in the table's log does nothing. Raises
    SpecError for arguments that exclude each other, ReplaceWhereViolationError, EngineError where
    the table is there and the mode is `error`, and what Delta's writer raises; after any error the
    table is as it was.
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
        properties=tuple((properties or {}).items()),
        comment=comment,
        columns=tuple((columns or {}).items()),
        options=tuple((options or {}).items()),
        user_metadata=user_metadata,
        idempotency_key=idempotency_key,
    )
    return write_frame(source, target.name, spec, conflict_retries=conflict_retries)
