"""Table features that a full refresh gives back: every reader had to know them, nothing needs them.

Delta's REPLACE keeps the table's protocol as high as it was. What sync_all_columns may have turned
on is dropped by ALTER TABLE DROP FEATURE, which keeps the history: Delta guards the checkpoints of
the old versions by adding a feature that only writers must know, checkpointProtection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt.adapters.events.logging import AdapterLogger
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..engine.definition import asked_versions
from ..engine.delta import first_line
from ..settings import SYNC_FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..engine import DeltaTarget
    from ..settings import ModelConfig

logger = AdapterLogger("deltaspark")
DEFAULTS = "spark.databricks.delta.properties.defaults"
"""A session's own, by which Delta would turn the feature on again."""


def give_back_features(model: ModelConfig, target: DeltaTarget) -> None:
    """Drop the features that the table, just replaced, does not use; failing to is no error."""
    try:
        for feature in [*_unused(model, target)]:
            target.spark.sql(f"ALTER TABLE {target.name} DROP FEATURE {feature}").collect()
    except (PySparkException, Py4JError) as error:
        logger.info(
            f"{model.label}: the table is made anew, and keeps table features that every reader"
            f" must know: {first_line(error)}"
        )


def _unused(model: ModelConfig, target: DeltaTarget) -> Iterator[str]:
    (details,) = target.spark.sql(f"DESCRIBE DETAIL {target.name}").collect()
    given = {**dict(model.table.properties), **details["properties"]}
    properties = {key.lower(): value.lower() for key, value in given.items()}
    if asked_versions(model.table.properties):
        return  # the next run would turn on again what they imply
    for feature, use in SYNC_FEATURES.items():
        in_use = properties.get(use.lower(), "none") not in ("none", "false")
        by_name = f"delta.feature.{feature}".lower() in properties
        by_default = target.spark.conf.get(f"{DEFAULTS}.feature.{feature}", None) is not None
        if feature in details["tableFeatures"] and not (in_use or by_name or by_default):
            yield feature
