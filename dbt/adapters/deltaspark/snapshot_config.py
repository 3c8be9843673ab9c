"""A snapshot's settings and its staging query's columns into one merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .config_reader import found
from .engine.spec import Insert, MergeSpec, Update, quoted

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"


def snapshot_spec(
    spec: Mapping[str, Any], source: Sequence[str], target: Sequence[str]
) -> MergeSpec:
    """dbt's staging rows say themselves what they are: an insert, an update or a delete."""
    scd_id = quoted(spec["columns"]["dbt_scd_id"])
    valid_to = quoted(spec["columns"]["dbt_valid_to"])
    kept = [name for name in source if not _is_staging_only(name)]
    return MergeSpec(
        on=f"{SOURCE}.{scd_id} = {TARGET}.{scd_id}",
        matched=(
            Update(
                assignments=((valid_to, f"{SOURCE}.{valid_to}"),),
                condition=f"{_is_current(valid_to, spec.get('valid_to_current'))}"
                f" AND {SOURCE}.dbt_change_type IN ('update', 'delete')",
            ),
        ),
        not_matched=(
            Insert(
                assignments=tuple((quoted(name), f"{SOURCE}.{quoted(name)}") for name in kept),
                condition=f"{SOURCE}.dbt_change_type = 'insert'",
            ),
        ),
        evolve_schema=any(found(name, target) is None for name in kept),
        source_alias=SOURCE,
        target_alias=TARGET,
    )


def _is_staging_only(name: str) -> bool:
    folded = name.casefold()
    return folded == "dbt_change_type" or folded.startswith("dbt_unique_key")


def _is_current(valid_to: str, far_future: str | None) -> str:
    if far_future is None:
        return f"{TARGET}.{valid_to} IS NULL"
    return f"({TARGET}.{valid_to} IS NULL OR {TARGET}.{valid_to} = {far_future})"
