"""The Python API: a table to change, an immutable builder of merges, and writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from .backend import backend
from .change import ChangeRequest
from .delta import naming_faults
from .merge import MergeFrame, explain
from .spec import STAR, Assignments, Delete, Insert, MergeSpec, Update, quoted

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

    @naming_faults()
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
        return backend().change(
            request, conflict_retries=conflict_retries, user_metadata=user_metadata
        )

    @naming_faults()
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
        return backend().change(
            request, conflict_retries=conflict_retries, user_metadata=user_metadata
        )

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

    @naming_faults()
    def execute(self, *, conflict_retries: int = 5) -> MergeResult:
        """Run the merge; see `merge_into` for what it raises."""
        return backend().merge(self._request(), conflict_retries=conflict_retries)

    def explain(self) -> str:
        """The plan as text; evaluates the source, commits nothing."""
        return self.plan().explain()

    def plan(self) -> MergePlan:
        """The plan as a value; evaluates the source, commits nothing. Not over Spark Connect."""
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
