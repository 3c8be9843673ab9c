"""The source, evaluated once: its rows kept, and what planning needs counted in the same pass."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from ..delta import CATALYST, described, kept, read_as_listed
from ..internal_columns import Names
from ..metrics import since
from .key_values import (
    KeyValues,
    SourceFacts,
    Value,
    has_distances,
    is_even,
    is_ordered,
    number_of,
    portable,
    ranges_of,
    slice_of,
)
from .source_in_place import file_of, table_scan

if TYPE_CHECKING:
    from ..delta import JavaObject, Jvm, TableSize
    from .resolve import KeyPair, ResolvedMerge

Measured: TypeAlias = tuple[DataFrame, Mapping[str, Value | None]]
"""The source's rows, and what was counted of them."""

MAX_PARTITION_VALUES = 1000
FILES_THAT_RANGES_TELL_APART = 8


@dataclass(frozen=True, slots=True)
class Source:
    """The evaluated source; a column that `names` calls `source_row` tells its rows apart."""

    frame: DataFrame
    names: Names
    facts: SourceFacts
    milliseconds: int
    keys: tuple[KeyPair, ...]
    """Whose values the facts are; a merge that was resolved anew may have others."""

    @property
    def rows(self) -> DataFrame:
        """The rows with the source's own columns alone."""
        return self.frame.drop(self.names.source_row)

    def facts_for(self, resolved: ResolvedMerge, table: TableSize) -> SourceFacts:
        """Of this resolution's keys; with their ranges, where the table has so many files that they
        may tell.
        """
        keys = self._values_of(resolved.keys)
        if table.files >= FILES_THAT_RANGES_TELL_APART:
            pairs = zip(resolved.keys, keys, strict=True)
            keys = tuple(self._in_ranges(resolved, key, values) for key, values in pairs)
        return replace(self.facts, keys=keys)

    def _values_of(self, keys: tuple[KeyPair, ...]) -> tuple[KeyValues | None, ...]:
        """None for a key that was not measured: text, say, where it was a number."""
        if keys is self.keys:
            return self.facts.keys
        pairs = zip(self.keys, self.facts.keys, strict=True)
        known = {key.measured: values for key, values in pairs}
        return tuple(known.get(key.measured) for key in keys)

    def _in_ranges(
        self, resolved: ResolvedMerge, key: KeyPair, values: KeyValues | None
    ) -> KeyValues | None:
        """One more pass, for keys that are stored columns and may leave gaps."""
        if values is None or values.even or key.column is None or values.low == values.high:
            return values
        if key.is_partition:
            return values
        column, name = resolved.jvm.column(key.source), key.kind
        number = slice_of(column, name, values)
        if number is None:
            return values
        rows = self.bound(resolved).where(column.isNotNull())
        rows = rows.select(column.alias("key"), number.alias("slice"))
        low, high = portable(F.min("key"), name), portable(F.max("key"), name)
        slices = rows.groupBy("slice").agg(low, high).collect()
        return replace(values, ranges=ranges_of([(each[0], each[1], each[2]) for each in slices]))

    def as_evaluated(self, resolved: ResolvedMerge) -> JavaObject:
        """The rows as the source of the same merge, to be resolved anew.

        `resolved` is what they were evaluated for. By now the source may have other columns, or the
        same in another order, which must not take these rows' values.
        """
        jvm = resolved.jvm
        rows = self.rows
        ids = jvm.module(f"{CATALYST}.expressions.NamedExpression")
        plans = (jvm.analyzed(rows), resolved.named_source)
        pairs = zip(*(jvm.items(plan.output()) for plan in plans), strict=True)
        columns = [_alias(jvm, have, want, ids.newExprId()) for have, want in pairs]
        return jvm.analyzed(rows.select(*columns))

    def bound(self, resolved: ResolvedMerge) -> DataFrame:
        """The rows under the attributes that this resolution's expressions refer to."""
        jvm = resolved.jvm
        kept = jvm.items(jvm.analyzed(self.frame).output())
        pairs = list(zip(kept, resolved.source_columns, strict=False))
        if all(have.exprId().equals(want.exprId()) for have, want in pairs):
            return self.frame
        columns = [_alias(jvm, have, want, want.exprId()) for have, want in pairs]
        return self.frame.select(*columns, F.col(self.names.source_row))


def _alias(jvm: Jvm, column: JavaObject, named: JavaObject, expression_id: JavaObject) -> Column:
    """The column under the name and the qualifier of another."""
    alias = jvm.type(f"{CATALYST}.expressions.Alias")
    return jvm.column(
        alias(column, named.name(), expression_id, named.qualifier(), jvm.none, jvm.seq([]))
    )


@contextmanager
def evaluated(resolved: ResolvedMerge) -> Iterator[Source]:
    """Run the source's query, once; the rows stay on disk until the end.

    A source that only reads a Delta table is left there (see `table_scan`), and counted.
    """
    started = time.monotonic()
    jvm, names = resolved.jvm, Names.fresh(resolved.all_names())
    with described(jvm, "MERGE: evaluating the source"):
        read = _read_in_place(resolved, names.source_row)
        frame, measured = read or _copied(resolved, names.source_row)
    try:
        facts = _facts(resolved, frame, measured, in_place=read is not None)
        yield Source(frame, names, facts, since(started), resolved.keys)
    finally:
        if read is None:
            jvm.release(frame)


def _read_in_place(resolved: ResolvedMerge, row_id: str) -> Measured | None:
    """None where the source must be copied, or has files that the ids do not tell apart."""
    scan = table_scan(resolved, row_id)
    if scan is None:
        return None
    frame, files = scan
    seen = F.size(F.collect_set(file_of(F.col(row_id)))).alias("files")
    measured = frame.agg(seen, *_counts(resolved)).collect()[0].asDict()
    return (frame, measured) if measured["files"] == files else None


def _copied(resolved: ResolvedMerge, row_id: str) -> Measured:
    jvm, command = resolved.jvm, resolved.command
    frame = jvm.frame(read_as_listed(jvm, command.source(), but=resolved.index.deltaLog()))
    return kept(frame.withColumn(row_id, F.monotonically_increasing_id()), *_counts(resolved))


def _counts(resolved: ResolvedMerge) -> list[Column]:
    """The rows, and for each key with an order what `_facts` makes of it."""
    measures = [F.count(F.lit(1)).alias("rows")]
    for i, key in enumerate(resolved.keys):
        if is_ordered(key.kind):
            column, name = resolved.jvm.column(key.source), key.kind
            measures += [
                F.count(column).alias(f"present_{i}"),
                portable(F.min(column), name).alias(f"low_{i}"),
                portable(F.max(column), name).alias(f"high_{i}"),
            ]
            if name == "string":
                measures.append(F.bool_and(F.is_valid_utf8(column)).alias(f"valid_{i}"))
            if has_distances(name):
                numbers = number_of(column, name)
                measures += [
                    F.min(numbers).alias(f"first_{i}"),
                    F.max(numbers).alias(f"last_{i}"),
                    F.avg(numbers).alias(f"mean_{i}"),
                    F.stddev_pop(numbers).alias(f"deviation_{i}"),
                ]
    return measures


def _facts(
    resolved: ResolvedMerge,
    frame: DataFrame,
    measured: Mapping[str, Value | None],
    *,
    in_place: bool,
) -> SourceFacts:
    rows = int(measured["rows"] or 0)
    keys: list[KeyValues | None] = []
    for i, key in enumerate(resolved.keys):
        if f"low_{i}" not in measured or measured.get(f"valid_{i}") is False:
            keys.append(None)
            continue
        nulls = rows - int(measured[f"present_{i}"] or 0)
        distinct = _distinct(resolved, frame, key) if key.is_partition else None
        low, high, even = measured[f"low_{i}"], measured[f"high_{i}"], _is_even(measured, i)
        keys.append(KeyValues(low, high, nulls, distinct, even=even))
    return SourceFacts(rows, tuple(keys), in_place=in_place)


def _is_even(measured: Mapping[str, Value | None], i: int) -> bool:
    names = ("first", "last", "mean", "deviation")
    numbers = [measured.get(f"{name}_{i}") for name in names]
    first, last, mean, deviation = (float("nan") if n is None else float(n) for n in numbers)
    return is_even(first, last, mean, deviation)


def _distinct(resolved: ResolvedMerge, frame: DataFrame, key: KeyPair) -> tuple[Value, ...] | None:
    """The key's values other than null, or None where they are too many to list."""
    column = portable(resolved.jvm.column(key.source), key.kind)
    found = frame.select(column.alias("value")).where("value is not null").distinct()
    values = [row["value"] for row in found.limit(MAX_PARTITION_VALUES + 1).collect()]
    return tuple(values) if len(values) <= MAX_PARTITION_VALUES else None
