"""The rows of a microbatch model's first batch, which are checked as the table is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..column_names import found
from ..engine.spec import quoted, text_literal
from ..settings import window_of

if TYPE_CHECKING:
    from ..settings import Batch, ModelConfig
    from .model_rows import ModelRows

FILTERED = (
    "Give the models and sources that it reads their event_time, so that dbt filters them, or"
    " filter by the batch in the model's SQL."
)


def rows_of_batch(model: ModelConfig, batch: Batch, rows: ModelRows) -> ModelRows:
    """The rows, which fail with the first one that is not of the batch: nothing is replaced yet."""
    at = found(batch.event_time, rows.schema.names) or batch.event_time
    keys = [name for key in model.unique_key if (name := found(key, rows.schema.names))]
    shown = ", ".join(map(quoted, dict.fromkeys([*keys, at])))
    said = text_literal(
        f"{model.label}: event_time {at!r} of each row must be from {batch.start} to {batch.end};"
        f" of one it is null, or another time. Nothing was written. {FILTERED} The row: "
    )
    fails = (
        f"raise_error(concat({said}, to_json(struct({shown}), map('ignoreNullFields', 'false'))))"
    )
    checked = f"if({window_of(batch, rows.schema)}, {quoted(at)}, {fails}) as {quoted(at)}"
    return rows.select(*(checked if each == at else quoted(each) for each in rows.schema.names))
