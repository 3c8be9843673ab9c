"""Table features that a full refresh gives back: every reader had to know them, nothing needs them.

Delta's REPLACE keeps the table's protocol as high as it was. What sync_all_columns has turned on
is dropped by ALTER TABLE DROP FEATURE, which keeps the history; Delta guards the checkpoints of the
old versions by a feature that only writers must know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt.adapters.events.types import AdapterEventWarning
from dbt_common.events.functions import warn_or_error
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

if TYPE_CHECKING:
    from ..engine import DeltaTarget
    from ..settings import ModelConfig

USED_BY = {
    "columnMapping": "delta.columnMapping.mode",
    "typeWidening": "delta.enableTypeWidening",
}
"""The features of sync_all_columns, each with the table property by which a table uses it."""


def give_back_features(model: ModelConfig, target: DeltaTarget) -> None:
    """Drop the features of former runs that the table, just replaced, does not use any more."""
    details = target.spark.sql(f"DESCRIBE DETAIL {target.name}").collect()[0]
    asked_for = {**details["properties"], **dict(model.table.properties)}
    for feature, use in USED_BY.items():
        if feature not in details["tableFeatures"]:
            continue
        if asked_for.get(use, "none") in ("none", "false") and (
            f"delta.feature.{feature}" not in asked_for
        ):
            _drop(model, target, feature)


def _drop(model: ModelConfig, target: DeltaTarget, feature: str) -> None:
    try:
        target.spark.sql(f"ALTER TABLE {target.name} DROP FEATURE {feature}").collect()
    except (PySparkException, Py4JError) as error:
        reason = str(error).splitlines()[0]
        told = (
            f"{model.label}: the table is made anew, and keeps the table feature {feature}, which"
            f" every reader must know: {reason}"
        )
        warn_or_error(AdapterEventWarning(name="deltaspark", base_msg=told))
