"""What a run that reads a part of the rows does to a table that is there: no row goes for want of
another. Rows come where nothing is in their place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Sized
from dataclasses import replace
from typing import TYPE_CHECKING

from dbt.adapters.events.types import AdapterEventInfo, AdapterEventWarning
from dbt_common.events.functions import fire_event, warn_or_error

from .. import engine
from ..settings import Clause, MergeConfig, limits

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..settings import ModelConfig

ADDS = re.compile(r"\s*(insert\s+into|merge\s+into)\b", re.IGNORECASE)
TAKES_AWAY = re.compile(r"\b(delete|overwrite|replace|by\s+source)\b", re.IGNORECASE)
WAY_OUT = (
    "A run without the flag replaces rows, and one with --full-refresh makes the table of what it"
    " reads"
)


def held_back(model: ModelConfig) -> ModelConfig:
    """The model as it changes a table that is there; what is left out of it is told."""
    if model.limited_by is None:
        return model
    held = limits.without_absence(model)
    if model.strategy == "merge" and held.merge != model.merge:
        _tell(model, "rows that the source lacks stay: clauses not_matched_by_source are left out")
    if held.history != model.history:
        _tell(model, "what the source lacks stays current: scd2_invalidate_missing is left out")
    return held


def tell_of_deletions(model: ModelConfig, hard_deletes: str) -> None:
    """Of a snapshot that would close the versions of rows that its query lacks."""
    if model.limited_by is not None and hard_deletes != "ignore":
        _tell(
            model, f"what the query lacks stays current: hard_deletes {hard_deletes!r} is left out"
        )


def keeps_rows(model: ModelConfig, replaced: Sized) -> bool:
    """Whether rows must not give way; under a run's times not where all of them would."""
    return model.limited_by in limits.PARTIAL or (model.limited_by is not None and not replaced)


def inserting(model: ModelConfig, on: str) -> ModelConfig:
    """Instead of a replacement: the rows for which the table has none by the condition."""
    _tell(
        model,
        f"what {model.strategy} would replace stays, and only what the table has nothing for is"
        f" added. {WAY_OUT}",
        withholds=True,
    )
    merge = MergeConfig(on=on, clauses=(Clause("not_matched", "insert"),))
    return replace(model, strategy="insert_only", unique_key=(), predicates=(), merge=merge)


def has_rows(model: ModelConfig, spark: SparkSession, name: str, where: str | None = None) -> bool:
    """Whether rows are in the place of those to come, so that nothing is written, which is told."""
    found = not spark.table(name).where(where or "true").isEmpty()
    if found:
        _tell(
            model,
            f"what {model.strategy} would replace stays, and nothing is written in its place."
            f" {WAY_OUT}",
            withholds=True,
        )
    return found


def keeps_table(model: ModelConfig, spark: SparkSession, name: str) -> bool:
    """Whether nothing is written to a table of another format, in place of the rows it has."""
    replaces = model.strategy == "insert_overwrite" and keeps_rows(model, model.table.partition_by)
    return replaces and has_rows(model, spark, name)


def withholds(model: ModelConfig, statements: Sequence[str]) -> bool:
    """Whether statements of the project's own are not run: they may take rows away by absence."""
    if model.limited_by not in limits.PARTIAL:
        return False
    if all(ADDS.match(each) and not TAKES_AWAY.search(each) for each in statements):
        return False
    _tell(
        model,
        "the strategy's statements may take rows away, and are not run: only INSERT INTO and MERGE"
        f" are that delete and replace nothing. {WAY_OUT}",
        withholds=True,
    )
    return True


def nothing_written(name: str) -> engine.MergeResult:
    reason = "the run reads a part of the rows, and others are in their place"
    return engine.MergeResult.nothing(engine.ChangePlan("WRITE", "no_op", reason, name))


def _tell(model: ModelConfig, what: str, *, withholds: bool = False) -> None:
    """Once; a warning where rows that were asked for are not written, which --empty has none of."""
    text = f"{model.label}: under {model.limited_by} {what}"
    if text in model.told:
        return
    model.told.add(text)
    if withholds and model.limited_by != limits.EMPTY:
        warn_or_error(AdapterEventWarning(name="deltaspark", base_msg=text))
    else:
        fire_event(AdapterEventInfo(name="deltaspark", base_msg=text))
