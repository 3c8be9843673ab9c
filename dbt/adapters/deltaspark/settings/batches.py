"""The window of a microbatch as a predicate over the column that says when an event was."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, time, timezone
from typing import TYPE_CHECKING, Any

from dbt_common.exceptions import CompilationError
from pyspark.sql.types import DataType, DateType, StructType, TimestampNTZType, TimestampType

from ..column_names import found
from ..engine.spec import quoted
from .config_reader import ConfigReader, not_produced
from .model import instant, moment, read_batch

if TYPE_CHECKING:
    from .model import Batch


FLAG = "require_batched_execution_for_custom_microbatch_strategy"


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


def window_of_own(spec: Mapping[str, Any], source: StructType) -> str:
    """The same for a microbatch strategy of the project's own, whose settings nobody else reads.

    Raises CompilationError with what is wrong with them.
    """
    reader = ConfigReader(spec["config"])
    batch = read_batch(reader, spec)
    problems = [*reader.problems, *(window_problems(batch, source) if batch else ())]
    if batch is None and not problems:
        problems = [f"it runs in no batch; in dbt_project.yml, flags: {{{FLAG}: true}} makes it"]
    if batch is None or problems:
        raise CompilationError(f"Model '{spec['name']}': " + "; ".join(problems))
    return window_of(batch, source)


def _literal(instant: datetime, kind: DataType) -> str:
    if isinstance(kind, DateType):
        return f"DATE'{instant:%Y-%m-%d}'"
    if isinstance(kind, TimestampNTZType):
        return f"TIMESTAMP_NTZ'{instant:%Y-%m-%d %H:%M:%S.%f}'"
    return f"TIMESTAMP'{instant:%Y-%m-%d %H:%M:%S.%f}+00:00'"
