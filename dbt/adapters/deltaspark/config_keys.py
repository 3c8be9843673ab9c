"""Config keys and strategies by name, and which of them this version does not do yet."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

STRATEGIES_NOW = ("append", "merge", "insert_only")
STRATEGIES = (
    *STRATEGIES_NOW,
    "delete+insert",
    "insert_overwrite",
    "replace_where",
    "microbatch",
    "scd2",
)
ALSO_CALLED = {
    "upsert": "merge",
    "insert": "append",
    "overwrite": "insert_overwrite",
    "delete_insert": "delete+insert",
    "replace": "replace_where",
    "snapshot": "scd2",
}
"""What people write, and the strategy that they mean."""
ON_SCHEMA_CHANGE = ("ignore", "append_new_columns", "sync_all_columns", "fail")

DONE = frozenset(
    [
        "incremental_strategy",
        "unique_key",
        "incremental_predicates",
        "predicates",
        "merge_update_columns",
        "merge_exclude_columns",
        "on_schema_change",
        "source_alias",
        "target_alias",
        "skip_empty",
        "file_format",
        "partition_by",
        "tblproperties",
        "location_root",
        "deletion_vectors",
        "comment",
        "options",
    ]
)
CANNOT_WRITE_YET = (
    "merge_on",
    "merge_update_set_expressions",
    "matched_condition",
    "not_matched_condition",
    "skip_matched_step",
    "skip_not_matched_step",
    "not_matched_by_source_action",
    "not_matched_by_source_condition",
    "merge_clauses",
    "merge_with_schema_evolution",
    "merge_only_changed",
    "on_duplicate_keys",
    "duplicate_keys_order_by",
    "replace_on",
    "replace_where",
    "idempotency_key",
)
"""Leaving one of these out would write other rows, so they are errors until they are there."""

NOT_APPLIED_YET = (
    "liquid_clustered_by",
    "zorder",
    "optimize",
    "commit_metadata",
    "incremental_apply_config_changes",
    "sql_header",
)
OTHER_PLATFORMS = {
    "clustered_by": "Delta tables have no buckets",
    "buckets": "Delta tables have no buckets",
    "auto_liquid_cluster": "it is Databricks' own",
    "column_mask": "it needs Unity Catalog",
    "row_filter": "it needs Unity Catalog",
    "databricks_tags": "it needs Unity Catalog",
    "databricks_compute": "it chooses a Databricks warehouse",
    "http_path": "it chooses a Databricks warehouse",
    "submission_method": "everything runs in the session of the profile",
    "create_notebook": "everything runs in the session of the profile",
}
DBTS_OWN = frozenset(
    [
        "enabled",
        "alias",
        "schema",
        "database",
        "tags",
        "meta",
        "group",
        "materialized",
        "batch_size",
        "lookback",
        "begin",
        "persist_docs",
        "post-hook",
        "pre-hook",
        "post_hook",
        "pre_hook",
        "quoting",
        "column_types",
        "full_refresh",
        "on_configuration_change",
        "grants",
        "packages",
        "docs",
        "contract",
        "event_time",
        "concurrent_batches",
        "access",
        "freshness",
        "delimiter",
        "quote_columns",
        "strategy",
        "target_schema",
        "target_database",
        "updated_at",
        "check_cols",
        "snapshot_meta_column_names",
        "dbt_valid_to_current",
        "hard_deletes",
        "invalidate_hard_deletes",
        "static_analysis",
        "constraints",
    ]
)
OURS = DONE.union(CANNOT_WRITE_YET, NOT_APPLIED_YET)
KNOWN = OURS.union(DBTS_OWN, OTHER_PLATFORMS)


def or_nearest(name: str, names: Iterable[str]) -> str:
    """'; did you mean …?' when one of the names is close to this one, else nothing."""
    close = get_close_matches(name, list(names), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""


def or_strategy(name: str) -> str:
    meant = ALSO_CALLED.get(name)
    return f"; did you mean {meant!r}?" if meant else or_nearest(name, STRATEGIES)


def unknown_keys(config: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning for each key that is nobody's, but close to one of ours."""
    near = {
        key: get_close_matches(key, OURS, n=1, cutoff=0.8) for key in config if key not in KNOWN
    }
    return tuple(
        f"config {key!r} is not known; did you mean {close[0]!r}?"
        for key, close in near.items()
        if close
    )


def no_effect_yet(spec: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning for each setting that is accepted, with what is not done about it."""
    config = spec["config"]
    later = [
        f"{key} is not applied yet by this version" for key in NOT_APPLIED_YET if config.get(key)
    ]
    never = [f"{key} is not done: {why}" for key, why in OTHER_PLATFORMS.items() if config.get(key)]
    empty = config.get("skip_empty") is False
    commits = ["skip_empty: false is not applied yet: a run without rows commits nothing"]
    return (*later, *never, *(commits if empty else ()), *_constraints(spec))


def _constraints(spec: Mapping[str, Any]) -> tuple[str, ...]:
    columns = (spec.get("columns") or {}).values()
    constrained = [*(spec.get("constraints") or ()), *(c.get("constraints") for c in columns)]
    if any(constrained) and (spec["config"].get("contract") or {}).get("enforced"):
        return ("constraints are not enforced yet by this version",)
    return ()
