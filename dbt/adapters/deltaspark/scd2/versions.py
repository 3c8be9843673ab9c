"""The versions of the keys that a load brings, as they are to be, and what has to be written.

A key's stored versions and its rows of the source are put into one order of time; windows over it
say the rest. A frame here has the key, `at` (where a version starts), `values` (what the source
gives, comparable), and

- for a row of the source: `row`, the whole of it;
- for a stored version: `until` (a struct, because its `to` may be null), `current`, and `low`, the
  time of the row that it came from, which is before `at` where it was opened after a closing; and
  the columns of which the source lacks fields, by the names of `completed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from ..engine import quoted

if TYPE_CHECKING:
    from .columns import Shape


def stored_versions(table: DataFrame, arrivals: DataFrame, shape: Shape) -> DataFrame:
    """The table's versions of the keys that arrived."""
    start = F.col(quoted(shape.scd2.valid_from))
    came_from = start if shape.updated_at is None else F.col(quoted(shape.updated_at.name))
    versions = table.select(
        *_stored_keys(shape),
        start.alias("at"),
        _values([each.stored for each in shape.values]),
        F.struct(F.col(quoted(shape.scd2.valid_to)).alias("to")).alias("until"),
        F.col(quoted(shape.scd2.is_current)).alias("current"),
        F.least(came_from, start).alias("low"),
        *(F.col(quoted(each.name)).alias(name) for name, each in shape.completed.items()),
    )
    return versions.join(*_arrived(versions, arrivals, shape), "left_semi")


def missing_keys(table: DataFrame, arrivals: DataFrame, shape: Shape, moment: Column) -> DataFrame:
    """The open versions of keys that did not arrive, to be closed; not what starts later."""
    start, end = (F.col(quoted(name)) for name in (shape.scd2.valid_from, shape.scd2.valid_to))
    versions = table.where(end.isNull() & (start < moment)).select(
        *_stored_keys(shape), start.alias("at"), moment.alias("end"), F.lit("end").alias("action")
    )
    return versions.join(*_arrived(versions, arrivals, shape), "left_anti")


def rows_of(arrivals: DataFrame, shape: Shape) -> DataFrame:
    """The source's rows with their values."""
    values = _values([each.arriving(F.col("row")) for each in shape.values])
    return arrivals.select(*shape.key_names, "at", values, "row")


def placed(items: DataFrame, shape: Shape) -> DataFrame:
    """Stored versions with the values that the source gives them, and rows that are new to them.

    A stored version can come from any row between `low` and its start: the newest of the source's
    is its row. The others are put at their own time; with `invalidate_missing` the newest row of a
    closed key opens it, not before it was closed.
    """
    key = Window.partitionBy(*shape.key_names)
    is_arrival, is_stored = F.col("row").isNotNull(), F.col("until").isNotNull()
    before = F.count("row").over(key.orderBy("at", is_stored))
    turn = Window.partitionBy(*shape.key_names, "turn")
    arrival = F.when(is_arrival, F.struct("at", "row", "values"))
    is_told = F.when(is_arrival, F.min("low").over(turn) <= F.col("at"))
    corrects = F.col("arrival.at") >= F.col("low")
    differs = ~F.col("values").eqNullSafe(F.col("arrival.values"))
    return (
        items.withColumn("turn", before)
        .withColumn("arrival", F.first(arrival, ignorenulls=True).over(turn))
        .withColumn("is_told", F.coalesce(is_told, F.lit(False)))
        .withColumn("opens_at", _opens_at(shape))
        .where(is_stored | ~F.col("is_told") | F.col("opens_at").isNotNull())
        .withColumn("at", F.coalesce("opens_at", "at"))
        .withColumn("corrected", is_stored & F.coalesce(corrects & differs, F.lit(False)))
        .withColumn("row", F.when(is_arrival | F.col("corrected"), F.col("arrival.row")))
        .withColumn(
            "values", F.when(F.col("corrected"), F.col("arrival.values")).otherwise(F.col("values"))
        )
    )


def _opens_at(shape: Shape) -> Column:
    """When the newest row of a closed key opens it again; else null."""
    if not shape.scd2.invalidate_missing:
        return F.lit(None).cast(shape.time)
    key = Window.partitionBy(*shape.key_names)
    at, is_arrival = F.col("at"), F.col("row").isNotNull()
    is_newest = is_arrival & (at == F.max(F.when(is_arrival, at)).over(key))
    is_open = F.col("until").isNotNull() & F.col("until.to").isNull()
    closed_at = F.max("until.to").over(key)
    is_closed = closed_at.isNotNull() & (F.count_if(is_open).over(key) == 0)
    return F.when(is_newest & is_closed, F.greatest(at, closed_at))


def chained(versions: DataFrame, shape: Shape) -> DataFrame:
    """Each version with its `end`, without new ones that repeat the one in force before them."""
    order = Window.partitionBy(*shape.key_names).orderBy("at")
    at, stored_end = F.col("at"), F.col("stored_end")
    with_ends = versions.withColumn(
        "stored_end", F.last("until", ignorenulls=True).over(order).getField("to")
    )
    if shape.scd2.check_columns is not None:
        checked = F.struct(*(F.col("values").getField(f"v{i}") for i in shape.checks))
        since = F.lag("at").over(order)
        was_closed = F.coalesce((stored_end > since) & (stored_end <= at), F.lit(False))
        is_same = since.isNotNull() & F.lag(checked).over(order).eqNullSafe(checked)
        repeats = F.col("until").isNull() & is_same & ~was_closed
        with_ends = with_ends.withColumn("repeats", repeats).where("NOT repeats")
    bound = F.when(F.col("until").isNotNull() | (stored_end > at), stored_end)
    return with_ends.withColumn("end", F.least(F.lead("at").over(order), bound))


def due(versions: DataFrame, shape: Shape) -> DataFrame:
    """What has to be written, by `action`: to insert, to correct, or to end at another time."""
    is_stored, end = F.col("until").isNotNull(), F.col("end")
    is_as_stored = end.eqNullSafe(F.col("until.to")) & F.col("current").eqNullSafe(end.isNull())
    action = (
        F.when(~is_stored, "insert").when(F.col("corrected"), "correct").when(~is_as_stored, "end")
    )
    return (
        versions.withColumn("action", action)
        .where("action IS NOT NULL")
        .select(*shape.key_names, "at", "end", "action", "row", *shape.completed)
    )


def _stored_keys(shape: Shape) -> list[Column]:
    pairs = zip(shape.keys, shape.key_names, strict=True)
    return [key.stored.alias(name) for key, name in pairs]


def _arrived(rows: DataFrame, arrivals: DataFrame, shape: Shape) -> tuple[DataFrame, Column]:
    """The keys that arrived, and the condition to join them on, in which nulls are equal."""
    known = arrivals.select(*shape.key_names)
    return known, reduce(and_, (rows[n].eqNullSafe(known[n]) for n in shape.key_names))


def _values(columns: Sequence[Column]) -> Column:
    return F.struct(*(each.alias(f"v{i}") for i, each in enumerate(columns))).alias("values")
