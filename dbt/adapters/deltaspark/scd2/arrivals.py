"""What a load of strategy scd2 brings: the source, evaluated once, and what is wrong in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, TypeAlias

from pyspark.sql import Column, DataFrame, Row
from pyspark.sql import functions as F

from ..engine import EngineError, quoted
from ..engine.delta import kept

if TYPE_CHECKING:
    from pyspark.sql.types import DataType

    from .columns import Shape

Instant: TypeAlias = Column | datetime
"""A moment: a timestamp column without attributes, or a datetime, in UTC where it has no zone."""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
SHOWN_KEYS = 5


class HistoryError(EngineError):
    """Rows of the source do not say what the history of their keys is."""

    def __init__(self, what: str, keys: Sequence[str], way_out: str) -> None:
        self.keys = tuple(keys)
        shown = "".join(f"\n  - {key}" for key in keys)
        super().__init__(f"scd2: {what}; nothing was written. Some keys:{shown}\n{way_out}")


@dataclass(frozen=True, slots=True)
class Arrivals:
    """The source's rows, one for each key and time: the key, `at`, and the whole row in `row`."""

    frame: DataFrame
    rows: int
    timeless: int
    """How many have no time."""
    contradicting: int
    """How many stand for rows that differ."""
    misfit: int
    """How many have a key that the table's type cannot hold."""
    moment: Column
    """When the load is, one constant for all that it does."""
    types: tuple[DataType, ...]
    """In which its rows were compared."""


def evaluated(source: DataFrame, shape: Shape, loaded_at: Instant) -> Arrivals:
    """Run the source's query, once; the rows stay on disk."""
    frame, found = kept(
        arriving(source, shape, loaded_at).frame,
        F.count(F.lit(1)).alias("rows"),
        F.count_if(F.col("at").isNull()).alias("timeless"),
        F.count_if(~F.col("agree")).alias("contradicting"),
        F.count("misfit").alias("misfit"),
        F.max(F.unix_micros("moment")).alias("moment"),
    )
    moment = F.timestamp_micros(F.lit(found["moment"] or 0))
    return Arrivals(
        frame,
        found["rows"],
        found["timeless"],
        found["contradicting"],
        found["misfit"],
        moment,
        shape.types,
    )


def arriving(source: DataFrame, shape: Shape, loaded_at: Instant) -> Arrivals:
    """What `evaluated` runs, not yet run: its rows are not counted."""
    moment = _instant(loaded_at)
    at = moment if shape.updated_at is None else F.col(quoted(shape.updated_at.name))
    row = F.struct(*(F.col(quoted(name)) for name in source.columns))
    whole = F.col("row")
    keys = [
        key.arriving(whole).alias(name)
        for key, name in zip(shape.keys, shape.key_names, strict=True)
    ]
    values = F.struct(*(each.arriving(whole) for each in shape.values))
    frame = (
        source.select(at.alias("at"), row.alias("row"), moment.alias("moment"))
        .select(*keys, "at", "row", "moment")
        .groupBy(*shape.key_names, "at")
        .agg(
            F.first("row").alias("row"),
            F.count(F.lit(1)).alias("count"),
            F.min(values).eqNullSafe(F.max(values)).alias("agree"),
            _misfit(shape).alias("misfit"),
            F.first("moment").alias("moment"),
        )
    )
    return Arrivals(frame, 0, 0, 0, 0, moment, shape.types)


def _misfit(shape: Shape) -> Column:
    """Of the rows of one key, one whose key the table's type cannot hold; else null."""
    row = F.col("row")
    changed = [~key.is_held(row) for key in shape.keys if key.casts]
    if not changed:
        return F.lit(None).cast("string")
    return F.first(F.when(reduce(or_, changed), row), ignorenulls=True)


def refuse_contradictions(arrivals: Arrivals, shape: Shape) -> None:
    """Raises HistoryError with some of the keys that have no time, or two rows at one time.

    Also with those that are others in the table's type: there, two of them could be one.
    """
    updated_at = shape.scd2.updated_at
    if arrivals.timeless:
        raise HistoryError(
            f"updated_at {updated_at!r} is null in rows of the source",
            _shown(arrivals.frame.where("at IS NULL"), shape),
            "Give these rows a time, or leave them out.",
        )
    if arrivals.misfit:
        raise HistoryError(
            f"keys of the source are others in the table's type: {_casts(shape)}",
            _shown(_with_misfits(arrivals.frame, shape), shape),
            "Cast the key in the model to what the table has, or run a full refresh.",
        )
    if not arrivals.contradicting:
        return
    keys = _shown(arrivals.frame.where("NOT agree"), shape)
    if updated_at is None:
        raise HistoryError(
            "the source has different rows for one key, and no updated_at to order them",
            keys,
            "Make the source unique by its key, or give updated_at.",
        )
    raise HistoryError(
        f"the source has different rows for one key and one time, {updated_at!r}",
        keys,
        "Keep one of them, or use an updated_at that tells them apart.",
    )


def _casts(shape: Shape) -> str:
    """The keys whose type is not the table's, with both types."""
    return ", ".join(
        f"{key.ours.name!r} is {key.ours.dataType.simpleString()} in the source and"
        f" {key.type.simpleString()} in the table"
        for key in shape.keys
        if key.casts
    )


def _with_misfits(frame: DataFrame, shape: Shape) -> DataFrame:
    """The rows whose keys the table's type cannot hold, by the keys that the source gives."""
    given = {
        name: F.col("misfit").getField(key.ours.name)
        for key, name in zip(shape.keys, shape.key_names, strict=True)
    }
    return frame.where("misfit IS NOT NULL").withColumns(given)


def in_type(moment: Column, time: str) -> Column:
    """The moment as a time of the table; without a zone, it is what a clock in UTC shows."""
    if time == "timestamp":
        return moment
    seconds = (F.unix_micros(moment).cast("decimal(20, 0)") / 1000000).cast("decimal(18, 6)")
    clock = F.expr("TIMESTAMP_NTZ'1970-01-01 00:00:00'") + F.make_dt_interval(secs=seconds)
    return clock.cast(time)


def _instant(loaded_at: Instant) -> Column:
    if isinstance(loaded_at, Column):
        return loaded_at.cast("timestamp")
    aware = loaded_at if loaded_at.tzinfo else loaded_at.replace(tzinfo=timezone.utc)
    return F.timestamp_micros(F.lit((aware - EPOCH) // timedelta(microseconds=1)))


def _shown(wrong: DataFrame, shape: Shape) -> list[str]:
    """Some of the rows by their keys, as text, with how many source rows they stand for."""
    rows = wrong.orderBy(*shape.key_names, "at").limit(SHOWN_KEYS)
    texts = [F.col(name).cast("string") for name in (*shape.key_names, "at")]
    return [_shown_row(each, shape) for each in rows.select(*texts, "count").collect()]


def _shown_row(row: Row, shape: Shape) -> str:
    *values, at, count = row
    names = [key.ours.name for key in shape.keys]
    pairs = zip(names, values, strict=True)
    key = ", ".join(f"{name} = {'NULL' if text is None else text}" for name, text in pairs)
    time = "" if at is None or shape.updated_at is None else f" at {at}"
    return f"{key}{time}: {count} source row{'' if count == 1 else 's'}"
