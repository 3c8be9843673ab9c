"""The incremental strategy scd2: a table keeps every version of a key, with when it was in force.

A load compares the source's rows with the stored versions of their keys and writes what differs in
one merge. `docs/scd2.md` has the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ..engine import Insert, MergeSpec, Update, quoted
from ..engine.anew import analyzed_anew
from ..engine.backend import backend
from ..engine.delta import ALWAYS, NO_WIDENING, freed, until_no_row_is_lost, widening_of
from ..engine.merge import MergeFrame
from .arrivals import (
    Arrivals,
    Instant,
    arriving,
    evaluated,
    in_type,
    refuse_contradictions,
)
from .columns import Field, Scd2, Shape
from .values import Evolution
from .versions import chained, due, missing_keys, placed, rows_of, stored_versions

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

    from ..engine import DeltaTarget, MergeResult
    from ..engine.spec import Assignments

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"


@contextmanager
def first_load(source: DataFrame, scd2: Scd2, loaded_at: Instant) -> Iterator[DataFrame]:
    """The history of a new table: the source's columns, valid_from, valid_to and is_current.

    Evaluates the source, once; its rows are kept until the end. Raises SpecError for columns that
    do not fit, and HistoryError for rows without a time or with contradicting values.
    """
    shape = Shape.of_new_table(scd2, source.schema)
    with _arrived(source, shape, loaded_at) as arrivals:
        yield _first_versions(arrivals, shape, scd2, source.columns)


def _first_versions(
    arrivals: Arrivals, shape: Shape, scd2: Scd2, columns: Sequence[str]
) -> DataFrame:
    not_stored = F.lit(None).cast(f"struct<to: {shape.time}>")
    versions = chained(rows_of(arrivals.frame, shape).withColumn("until", not_stored), shape)
    return versions.select(
        *(F.col("row").getField(name).alias(name) for name in columns),
        F.col("at").alias(scd2.valid_from),
        F.col("end").alias(scd2.valid_to),
        F.col("end").isNull().alias(scd2.is_current),
    )


@contextmanager
def _arrived(source: DataFrame, shape: Shape, loaded_at: Instant) -> Iterator[Arrivals]:
    """The rows, evaluated and checked, kept until the end."""
    arrivals = evaluated(source, shape, loaded_at)
    try:
        refuse_contradictions(arrivals, shape)
        yield arrivals
    finally:
        freed(arrivals.frame)


def load(
    source: DataFrame,
    target: DeltaTarget,
    scd2: Scd2,
    loaded_at: Instant,
    *,
    evolve: bool = False,
    conflict_retries: int = 5,
    user_metadata: str | None = None,
    source_sql: str | None = None,
) -> MergeResult:
    """Bring the source's changes into the table's history: one commit, or none if it has them.

    The source is evaluated once, or in each attempt where it reads the table; what it changes is
    computed anew after a conflict, from the table as the other commit left it. `evolve` adds the
    source's new columns. `source_sql` is the query that a source came from which reads the table:
    without it another writer's commit is SourceReadsTargetError. Raises what `first_load` raises,
    also for a table that does not fit, and what a merge raises; after any error the table is as it
    was.
    """
    load = _Load(target.name, source, scd2, loaded_at, evolve, source_sql)

    def merged(request: MergeFrame) -> MergeResult:
        return backend().merge(
            request, conflict_retries=conflict_retries, user_metadata=user_metadata
        )

    def loaded() -> MergeResult:
        if load.reads_its_table():
            not_run = arriving(source, load.shape(), loaded_at)
            with load.over(not_run, kept=False) as request:
                return merged(request)
        with load.arrived() as arrivals, load.over(arrivals, kept=True) as request:
            return merged(request)

    return until_no_row_is_lost(loaded)


@dataclass(frozen=True, slots=True)
class _Load:
    """The rows that arrive, and the table whose history they belong to."""

    table: str
    source: DataFrame
    scd2: Scd2
    loaded_at: Instant
    evolve: bool
    source_sql: str | None

    def anew(self) -> _Load:
        """With the source's query analyzed anew."""
        return replace(self, source=analyzed_anew(self.source, self.source_sql))

    def shape(self, table: DataFrame | None = None) -> Shape:
        """Of the table as it was read, or as it is now."""
        spark = self.source.sparkSession
        theirs = (spark.table(self.table) if table is None else table).schema

        def under(widening: str) -> Shape:
            evolution = Evolution(grows=self.evolve, widening=widening)
            return Shape.between(self.scd2, self.source.schema, theirs, evolution)

        shape = under(NO_WIDENING)
        may_widen = self.evolve and under(ALWAYS) != shape
        return under(widening_of(spark, self.table)) if may_widen else shape

    def reads_its_table(self) -> bool:
        """Where nobody knows it, the source is analyzed anew in each attempt, as if it did."""
        return backend().may_read(self.source, self.table)

    def arrived(self) -> AbstractContextManager[Arrivals]:
        return _arrived(self.source, self.shape(), self.loaded_at)

    @contextmanager
    def over(self, arrivals: Arrivals, *, kept: bool) -> Iterator[MergeFrame]:
        """The merge of what differs from the table as it is now; `kept` rows serve all attempts.

        Rows that were compared with each other in other types than the table now takes are
        evaluated anew: another writer has changed them meanwhile.
        """
        table = self.source.sparkSession.table(self.table)
        shape = self.shape(table)
        if arrivals.types == shape.types:
            yield self._request(arrivals, table, shape, kept=kept)
        else:
            with self.arrived() as anew, self.over(anew, kept=kept) as request:
                yield request

    def _request(
        self, arrivals: Arrivals, table: DataFrame, shape: Shape, *, kept: bool
    ) -> MergeFrame:
        names = self.source.schema.names
        prefix = _fresh_prefix([*names, *table.columns])
        staging = self._staging(arrivals, table, shape)
        columns = [value.alias(name) for name, value in _values(shape, names).items()]
        internal = [
            F.col(name).alias(prefix + name) for name in (*shape.key_names, "at", "end", "action")
        ]
        spec = _merge_spec(shape, prefix, self.evolve)
        frame = staging.select(*columns, *internal)
        return _Replayable(self.table, frame, spec, load=self, arrivals=arrivals if kept else None)

    def _staging(self, arrivals: Arrivals, table: DataFrame, shape: Shape) -> DataFrame:
        rows = arrivals.frame
        items = stored_versions(table, rows, shape).unionByName(
            rows_of(rows, shape), allowMissingColumns=True
        )
        staging = due(chained(placed(items, shape), shape), shape)
        # An upstream failure looks like an empty source: it closes nothing.
        if not self.scd2.invalidate_missing or arrivals.rows == 0:
            return staging
        moment = in_type(arrivals.moment, shape.time)
        missing = missing_keys(table, rows, shape, moment)
        return staging.unionByName(missing, allowMissingColumns=True)


@dataclass(frozen=True, slots=True)
class _Replayable(MergeFrame):
    """A merge whose source is computed from the target, and can be computed again."""

    load: _Load = field(kw_only=True)
    arrivals: Arrivals | None = field(kw_only=True)
    """None where they must be evaluated in each attempt."""

    @contextmanager
    def computed(self, *, again: bool) -> Iterator[MergeFrame]:
        if self.arrivals is None:
            load = self.load.anew() if again else self.load
            with load.arrived() as arrivals, load.over(arrivals, kept=False) as request:
                yield request
        elif again:
            with self.load.over(self.arrivals, kept=True) as request:
                yield request
        else:
            yield self


def _fresh_prefix(columns: Iterable[str]) -> str:
    """What no column's name begins with."""
    taken = [name.lower() for name in columns]
    prefixes = (f"__scd2_{number}_" for number in count())
    return next(each for each in prefixes if not any(name.startswith(each) for name in taken))


def _values(shape: Shape, names: Iterable[str]) -> dict[str, Column]:
    """Of each of the source's columns, what is written of it."""
    row = F.col("row")
    completed = {each.ours.name: each.written(row, F.col(n)) for n, each in shape.completed.items()}
    return {name: completed.get(name, row.getField(name)) for name in names}


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
