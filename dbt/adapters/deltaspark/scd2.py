"""The incremental strategy scd2: a table keeps every version of a key, with when it was in force.

A load compares the source's rows with the stored versions of their keys and writes what differs in
one merge. `docs/scd2.md` has the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .engine import Insert, MergeSpec, Update, quoted
from .engine.conflicts import until_no_block_is_lost
from .engine.jvm import Jvm
from .engine.merge import merge
from .engine.resolve import MergeFrame
from .scd2_arrivals import (
    Arrivals,
    HistoryError,
    Instant,
    evaluated,
    in_type,
    refuse_contradictions,
)
from .scd2_columns import Field, Scd2, Shape
from .scd2_versions import chained, due, missing_keys, placed, rows_of, stored_versions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

    from .engine import DeltaTarget, MergeResult
    from .engine.spec import Assignments

__all__ = ["HistoryError", "Instant", "Scd2", "first_load", "load"]

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"


def first_load(source: DataFrame, scd2: Scd2, loaded_at: Instant) -> DataFrame:
    """The history of a new table: the source's columns, valid_from, valid_to and is_current.

    Evaluates the source, once. Raises SpecError for columns that do not fit, and HistoryError for
    rows without a time or with contradicting values.
    """
    shape = Shape.of_new_table(scd2, source.schema)
    arrivals = evaluated(source, shape, loaded_at)
    refuse_contradictions(arrivals, shape)
    not_stored = F.lit(None).cast(f"struct<to: {shape.time}>")
    versions = chained(rows_of(arrivals.frame, shape).withColumn("until", not_stored), shape)
    return versions.select(
        *(F.col("row").getField(name).alias(name) for name in source.columns),
        F.col("at").alias(scd2.valid_from),
        F.col("end").alias(scd2.valid_to),
        F.col("end").isNull().alias(scd2.is_current),
    )


def load(
    source: DataFrame,
    target: DeltaTarget,
    scd2: Scd2,
    loaded_at: Instant,
    *,
    evolve: bool = False,
    conflict_retries: int = 5,
    user_metadata: str | None = None,
) -> MergeResult:
    """Bring the source's changes into the table's history: one commit, or none if it has them.

    The source is evaluated once; after a conflict, what it changes is computed anew from the table
    as the other commit left it. `evolve` adds the source's new columns. Raises what `first_load`
    raises, also for a table that does not fit, and what a merge raises; after any error the table
    is as it was.
    """

    def loaded() -> MergeResult:
        shape = Shape.between(scd2, source.schema, target.schema(), evolve=evolve)
        arrivals = evaluated(source, shape, loaded_at)
        try:
            refuse_contradictions(arrivals, shape)
            request = _Load(target.name, source.schema, scd2, arrivals, evolve).request()
            return merge(request, conflict_retries=conflict_retries, user_metadata=user_metadata)
        finally:
            Jvm(source.sparkSession).release(arrivals.frame)

    return until_no_block_is_lost(loaded)


@dataclass(frozen=True, slots=True)
class _Load:
    """The rows that arrived, and the table whose history they belong to."""

    table: str
    source: StructType
    scd2: Scd2
    arrivals: Arrivals
    evolve: bool

    def request(self) -> MergeFrame:
        """The merge of what differs from the table as it is now."""
        table = self.arrivals.frame.sparkSession.table(self.table)
        shape = Shape.between(self.scd2, self.source, table.schema, evolve=self.evolve)
        prefix = _fresh_prefix([*self.source.names, *table.columns])
        staging = self._staging(table, shape)
        columns = [F.col("row").getField(name).alias(name) for name in self.source.names]
        internal = [
            F.col(name).alias(prefix + name) for name in (*shape.key_names, "at", "end", "action")
        ]
        spec = _merge_spec(shape, prefix, self.evolve)
        return _Replayable(
            self.table, staging.select(*columns, *internal), spec, again=self.request
        )

    def _staging(self, table: DataFrame, shape: Shape) -> DataFrame:
        arrivals = self.arrivals.frame
        items = stored_versions(table, arrivals, shape).unionByName(
            rows_of(arrivals, shape), allowMissingColumns=True
        )
        staging = due(chained(placed(items, shape), shape), shape)
        # An upstream failure looks like an empty source: it closes nothing.
        if not self.scd2.invalidate_missing or self.arrivals.rows == 0:
            return staging
        moment = in_type(self.arrivals.moment, shape.time)
        missing = missing_keys(table, arrivals, shape, moment)
        return staging.unionByName(missing, allowMissingColumns=True)


@dataclass(frozen=True, slots=True)
class _Replayable(MergeFrame):
    """A merge whose source is computed from the target, and can be computed again."""

    again: Callable[[], MergeFrame] = field(kw_only=True)

    def refreshed(self) -> MergeFrame:
        return self.again()


def _fresh_prefix(columns: Iterable[str]) -> str:
    """What no column's name begins with."""
    taken = [name.lower() for name in columns]
    prefixes = (f"__scd2_{number}_" for number in count())
    return next(each for each in prefixes if not any(name.startswith(each) for name in taken))


def _merge_spec(shape: Shape, prefix: str, evolve: bool) -> MergeSpec:
    """Rows meet by key and start; each does what its action says."""

    def staged(name: str) -> str:
        return f"{SOURCE}.{quoted(prefix + name)}"

    start, end, is_current = map(quoted, shape.scd2.added)
    pairs = zip(shape.keys, shape.key_names, strict=True)
    keys = [f"{TARGET}.{quoted(key.name)} <=> {staged(name)}" for key, name in pairs]
    values = _own(shape.values)
    ends: Assignments = ((end, staged("end")), (is_current, f"{staged('end')} IS NULL"))
    return MergeSpec(
        on=" AND ".join([*keys, f"{TARGET}.{start} <=> {staged('at')}"]),
        matched=(
            Update((*values, *ends), f"{staged('action')} = 'correct'"),
            Update(ends, f"{staged('action')} = 'end'"),
        ),
        not_matched=(
            Insert(
                (*_own(shape.keys), *values, (start, staged("at")), *ends),
                f"{staged('action')} = 'insert'",
            ),
        ),
        evolve_schema=evolve,
        source_alias=SOURCE,
        target_alias=TARGET,
    )


def _own(fields: Iterable[Field]) -> Assignments:
    """The table's columns, each from the source's column."""
    return tuple((quoted(each.name), f"{SOURCE}.{quoted(each.ours.name)}") for each in fields)
