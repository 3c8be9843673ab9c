"""The window of a microbatch as a predicate over the column that says when an event was."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timezone
from typing import TYPE_CHECKING, Any

from pyspark.sql.types import DataType, DateType, StructType, TimestampNTZType, TimestampType

from ..column_names import found
from ..engine.spec import quoted
from .config_reader import not_produced
from .model import instant, moment

if TYPE_CHECKING:
    from .model import Batch


def is_later_batch(batch: Mapping[str, Any], since: object) -> bool:
    """Whether batches that begin with the one of that moment have another one before this.

    dbt takes the moment's clock for UTC's, whatever zone it names.
    """
    return instant(batch["event_time_start"]) > moment(since).replace(tzinfo=timezone.utc)


def window_problems(batch: Batch, source: StructType) -> list[str]:
    """Why the batch cannot be told by its event_time."""
    name = found(batch.event_time, source.names)
    if name is None:
        return not_produced("event_time", [batch.event_time], source.names)
    kind = source[name].dataType
    if not isinstance(kind, (DateType, TimestampType, TimestampNTZType)):
        return [f"event_time {name!r} must be a date or a timestamp, it is {kind.simpleString()}"]
    bounds = (batch.start, batch.end)
    if isinstance(kind, DateType) and any(each.time() != time() for each in bounds):
        return [
            f"event_time {name!r} is a date, and a batch from {batch.start} to {batch.end} is not"
            " of whole days; set batch_size to day, month or year"
        ]
    return []


def window_of(batch: Batch, source: StructType) -> str:
    """SQL for the batch's rows; its bounds are UTC whatever the session's time zone is."""
    name = found(batch.event_time, source.names) or batch.event_time
    kind, column = source[name].dataType, quoted(name)
    return f"{column} >= {_literal(batch.start, kind)} AND {column} < {_literal(batch.end, kind)}"


def _literal(instant: datetime, kind: DataType) -> str:
    if isinstance(kind, DateType):
        return f"DATE'{instant:%Y-%m-%d}'"
    if isinstance(kind, TimestampNTZType):
        return f"TIMESTAMP_NTZ'{instant:%Y-%m-%d %H:%M:%S.%f}'"
    return f"TIMESTAMP'{instant:%Y-%m-%d %H:%M:%S.%f}+00:00'"
