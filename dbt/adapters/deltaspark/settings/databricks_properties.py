"""Properties of Delta tables that only Databricks follows; open-source Delta refuses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .config_reader import as_flag

if TYPE_CHECKING:
    from .constraints import Pairs

SIZES = "only Databricks keeps files at a size by itself; `options` has maxRecordsPerFile"
OF_DATABRICKS = {
    "delta.targetfilesize": SIZES,
    "delta.tunefilesizesforrewrites": SIZES,
    "delta.enablepredictiveoptimization": "only Databricks has it; `optimize` runs OPTIMIZE",
    "delta.parquet.compression.codec": (
        "only Databricks reads it; spark.sql.parquet.compression.codec in the profile's"
        " spark_config says it for all tables"
    ),
    "delta.lastcommittimestamp": "only Databricks writes it",
    "delta.lastupdateversion": "only Databricks writes it",
}
"""By their names in lower case, as Delta compares them."""
WORKLOAD = "delta.workloadbasedcolumns."
CHOSEN = (
    "only Databricks chooses columns by what is asked of them; delta.dataSkippingStatsColumns"
    " names columns with statistics"
)


def without_databricks_own(properties: Mapping[str, str], spec: Mapping[str, Any]) -> Pairs:
    """Those that a table gets."""
    foreign = _reasons(properties, spec)
    return tuple((name, value) for name, value in properties.items() if name not in foreign)


def properties_left_out(spec: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning for each that it does not get."""
    given = spec["config"].get("tblproperties")
    reasons = _reasons(given, spec) if isinstance(given, Mapping) else {}
    return tuple(f"the table property {name!r} is not done: {why}" for name, why in reasons.items())


def _reasons(properties: Mapping[str, Any], spec: Mapping[str, Any]) -> dict[str, str]:
    """Why each is left out; views take any, and so do tables where the profile says so."""
    config = spec["config"]
    is_delta = str(config.get("file_format") or "delta").lower() == "delta"
    if not is_delta or config.get("materialized") == "view" or as_flag(spec.get("any_property")):
        return {}
    reasons = {str(name): _reason(str(name).lower()) for name in properties}
    return {name: why for name, why in reasons.items() if why is not None}


def _reason(name: str) -> str | None:
    return CHOSEN if name.startswith(WORKLOAD) else OF_DATABRICKS.get(name)
