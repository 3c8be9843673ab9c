"""Config keys and strategies by name: whose they are, and which strategy reads which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from ..near_names import or_nearest
from .config_reader import is_asked
from .constraints import is_enforced

STRATEGIES = (
    "append",
    "merge",
    "insert_only",
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

MERGE_CLAUSES = (
    "merge_update_columns",
    "merge_exclude_columns",
    "merge_update_set_expressions",
    "matched_condition",
    "not_matched_condition",
    "skip_matched_step",
    "skip_not_matched_step",
    "not_matched_by_source_action",
    "not_matched_by_source_condition",
    "merge_only_changed",
)
"""What the general form, `merge_clauses`, stands instead of."""
MERGE = (
    *MERGE_CLAUSES,
    "merge_on",
    "merge_clauses",
    "merge_with_schema_evolution",
    "on_duplicate_keys",
    "duplicate_keys_order_by",
    "source_alias",
    "target_alias",
    "skip_empty",
)
SCD2 = (
    "scd2_updated_at",
    "scd2_check_columns",
    "scd2_invalidate_missing",
    "scd2_valid_from",
    "scd2_valid_to",
    "scd2_is_current",
)
PREDICATES = ("incremental_predicates", "predicates")
TABLE = (
    "file_format",
    "partition_by",
    "liquid_clustered_by",
    "tblproperties",
    "location_root",
    "deletion_vectors",
    "comment",
    "options",
    "optimize",
    "skip_optimize",
    "zorder",
    "commit_metadata",
    "sql_header",
)
OURS = frozenset(
    [
        *MERGE,
        *SCD2,
        *PREDICATES,
        *TABLE,
        "incremental_strategy",
        "unique_key",
        "on_schema_change",
        "replace_on",
        "replace_where",
        "idempotency_key",
        "incremental_apply_config_changes",
        "allow_protocol_upgrade",
    ]
)
WRITES = frozenset(["idempotency_key"])
READ_BY = {
    "append": WRITES,
    "merge": frozenset([*MERGE, *PREDICATES, "unique_key", "idempotency_key"]),
    "insert_only": frozenset(
        [*PREDICATES, "unique_key", "source_alias", "target_alias", "skip_empty"]
    ).union(
        ["on_duplicate_keys", "duplicate_keys_order_by", "not_matched_condition"],
        ["idempotency_key"],
    ),
    "delete+insert": WRITES.union(PREDICATES, ["unique_key", "source_alias", "target_alias"]),
    "insert_overwrite": WRITES.union(["replace_on"]),
    "replace_where": WRITES.union(PREDICATES, ["replace_where", "source_alias", "target_alias"]),
    "microbatch": WRITES.union(PREDICATES, ["source_alias", "target_alias"]),
    "scd2": frozenset([*SCD2, "unique_key"]),
}
"""Which of the keys that belong to some strategies each of them reads."""
OF_STRATEGIES = frozenset[str]().union(*READ_BY.values())
OTHER_PLATFORMS = {
    "clustered_by": "a table is made without buckets",
    "buckets": "a table is made without buckets",
    "auto_liquid_cluster": "it is Databricks' own; a table keeps the clustering it has",
    "column_mask": "it needs Unity Catalog",
    "column_tags": "it needs Unity Catalog",
    "row_filter": "it needs Unity Catalog",
    "databricks_tags": "it needs Unity Catalog",
    "query_tags": "it is for Databricks' query history; commit_metadata goes to the table's",
    "catalog_name": "a table is in the catalog of Spark's that `catalog` (or `database`) names;"
    " catalogs.yml is for other platforms",
    "table_format": "tables are Delta tables",
    "use_uniform": "tblproperties say it: delta.universalFormat.enabledFormats",
    "use_safer_relation_operations": "a table is always replaced in one commit",
    "view_update_via_alter": "views are replaced",
    "unique_tmp_table_suffix": "nothing is staged in a table",
    "databricks_compute": "it chooses a Databricks warehouse",
    "http_path": "it chooses a Databricks warehouse",
    "submission_method": "everything runs in the session of the profile",
    "create_notebook": "everything runs in the session of the profile",
    "cluster_id": "everything runs in the session of the profile",
    "job_cluster_config": "everything runs in the session of the profile",
    "access_control_list": "everything runs in the session of the profile",
    "notebook_access_control_list": "everything runs in the session of the profile",
    "python_job_config": "everything runs in the session of the profile",
    "workflow_job_config": "everything runs in the session of the profile",
    "index_url": "packages are installed where dbt is",
    "additional_libs": "packages are installed where dbt is",
    "environment_key": "packages are installed where dbt is",
    "environment_dependencies": "packages are installed where dbt is",
    "timeout": "Spark's own settings limit a job",
    "notebook_scoped_libraries": "packages are installed where dbt is",
    "user_folder_for_python": "everything runs in the session of the profile",
    "include_full_name_in_path": "location_root's folder is <root>/<schema>/<alias>",
    "materialized_view": "Spark has none",
    "schedule": "Spark has no scheduler for views",
    "persist_constraints": "only an enforced contract has the constraints",
    "compression": "options or tblproperties say it",
}
OF_COLUMNS = ("column_mask", "column_tags", "databricks_tags")
"""Those that a model's columns may have, too."""
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
KNOWN = OURS.union(DBTS_OWN, OTHER_PLATFORMS)
CLOSE, CLOSE_TO_DBTS = 0.8, 0.85
"""So close to one of ours, or of dbt's, an unknown key is meant for it; farther ones are a
project's own.
"""


def or_strategy(name: str) -> str:
    return or_nearest(name, STRATEGIES, meant=ALSO_CALLED.get(name))


def unknown_keys(config: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning for each key that is nobody's, but close to one of ours or dbt's."""
    return tuple(_unknown(key, meant) for key, meant in _meant(config).items())


def keys_meant(config: Mapping[str, Any], names: Iterable[str]) -> tuple[str, ...]:
    """A problem for each unknown key that is closest to one of these names."""
    wanted = set(names)
    return tuple(_unknown(key, meant) for key, meant in _meant(config).items() if meant in wanted)


def _meant(config: Mapping[str, Any]) -> dict[str, str]:
    """The unknown keys that are close to one of ours or dbt's, with that one."""
    near = {
        key: get_close_matches(key, OURS, 1, CLOSE)
        or get_close_matches(key, DBTS_OWN, 1, CLOSE_TO_DBTS)
        for key in config
        if key not in KNOWN
    }
    return {key: close[0] for key, close in near.items() if close}


def _unknown(key: str, meant: str) -> str:
    return f"config {key!r} is not known; did you mean {meant!r}?"


def of_other_platforms(config: Mapping[str, Any]) -> tuple[str, ...]:
    """A warning for each key that only another platform can follow, with what is not done."""
    done = {
        "persist_constraints": is_enforced(config),
        "table_format": str(config.get("table_format")).lower() == "default",
    }
    return tuple(
        f"{key} is not done: {why}"
        for key, why in OTHER_PLATFORMS.items()
        if is_asked(config.get(key)) and not done.get(key)
    )


def of_columns(columns: Mapping[str, Mapping[str, Any]]) -> tuple[str, ...]:
    """The same for what is said of a model's columns."""
    return tuple(
        f"{key} of columns is not done: {OTHER_PLATFORMS[key]}"
        for key in OF_COLUMNS
        if any(each.get(key) or (each.get("config") or {}).get(key) for each in columns.values())
    )


def is_read_by(strategy: str, key: str) -> bool:
    """Whether the strategy reads this key of some strategies; one of the project's own may."""
    return key in READ_BY.get(strategy, OF_STRATEGIES)


def idle_keys(config: Mapping[str, Any], strategy: str, why: str = "") -> tuple[str, ...]:
    """A warning for each key of some strategy that this one does not read."""
    others = OF_STRATEGIES - READ_BY[strategy]
    idle = [key for key in config if key in others and is_asked(config[key])]
    return tuple(f"{key} has no effect with incremental_strategy {strategy!r}{why}" for key in idle)
