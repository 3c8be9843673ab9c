"""A project's macros that other adapters would run, and nothing here does, by kind of node."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

PREFIXES = ("", "deltaspark__", "spark__", "databricks__", "default__")
"""Those that dispatch looks for, here or with another adapter."""
OF_A_CONFIG = {
    "location_clause": "location_root",
    "file_format_clause": "file_format",
    "tblproperties_clause": "tblproperties",
    "options_clause": "options",
    "partition_cols": "partition_by",
    "clustered_cols": "liquid_clustered_by",
    "liquid_clustered_cols": "liquid_clustered_by",
    "comment_clause": "persist_docs",
    "persist_docs": "persist_docs",
    "alter_column_comment": "persist_docs",
    "alter_relation_comment": "persist_docs",
    "persist_constraints": "constraints",
    "alter_table_add_constraints": "constraints",
    "alter_column_set_constraints": "constraints",
}
"""Parts of other adapters' tables, with the config key that says the same here."""
TABLES = ("create_table_as", "get_create_table_as_sql", "py_write_table", "apply_grants")
SEEDS = ("create_csv_table", "load_csv_rows", "reset_csv_table", "get_csv_sql", "get_batch_size")
SNAPSHOTS = (
    "snapshot_merge_sql",
    "snapshot_staging_table",
    "build_snapshot_table",
    "build_snapshot_staging_table",
    "spark_build_snapshot_staging_table",
    "post_snapshot",
    "create_columns",
)
OF_KINDS: Mapping[str, tuple[str, ...]] = {
    "table": (*TABLES, *OF_A_CONFIG),
    "incremental": (*TABLES, *OF_A_CONFIG),
    "seed": (*TABLES, *OF_A_CONFIG, *SEEDS),
    "snapshot": (*TABLES, *OF_A_CONFIG, *SNAPSHOTS),
}
INCREMENTAL = ("get_insert_into_sql", "get_insert_overwrite_sql", "get_merge_update_columns")
OF_DATABRICKS = (
    *(
        f"get_incremental_{name}_sql"
        for name in ("append", "merge", "delete_insert", "insert_overwrite")
    ),
    "get_incremental_replace_where_sql",
    "get_incremental_microbatch_sql",
    "get_merge_sql",
    "get_delete_insert_merge_sql",
    "get_insert_overwrite_merge_sql",
)
"""What has an effect by every prefix but that of Databricks."""
STRATEGIES = (
    "dbt_spark_get_incremental_sql",
    *(f"{prefix}{name}" for name in INCREMENTAL for prefix in PREFIXES[:-1]),
    *(f"databricks__{name}" for name in OF_DATABRICKS),
)
OF_VIEWS = "databricks__create_view_as"
OWN_STRATEGY = "a macro get_incremental_<name>_sql is a strategy of the project's own"
ANYWHERE = frozenset(
    [*STRATEGIES, OF_VIEWS, *(each for names in OF_KINDS.values() for each in names)]
)
ADAPTERS = ("spark", "databricks", "default")
"""Whose materializations come after this adapter's own, or are never looked for."""


def warnings_of_macros(kind: str, own: Collection[str]) -> Iterator[str]:
    """A warning for each of the project's macros that another adapter would run for the node."""
    for name in OF_KINDS.get(kind, ()):
        found = [prefix + name for prefix in PREFIXES if prefix + name in own]
        yield from (f"{_not_run(each)} tables by itself; {_way_out(name)}" for each in found)
    for name in sorted(own) if kind == "incremental" else ():
        if name in STRATEGIES:
            yield f"{_not_run(name)} by itself; {OWN_STRATEGY}"
    if kind == "view" and OF_VIEWS in own:
        yield f"{_not_run(OF_VIEWS)} views by itself; rename it to spark__create_view_as"
    for adapter in ADAPTERS:
        if f"materialization_{kind}_{adapter}" in own:
            yield (
                f"the project's materialization {kind!r} of adapter {adapter!r} is not run, since"
                " this adapter has one; write adapter='deltaspark' in it"
            )


def _not_run(name: str) -> str:
    return f"the project's macro {name} is not run: the adapter writes"


def _way_out(name: str) -> str:
    key = OF_A_CONFIG.get(name)
    return (
        "a hook, or a materialization of the project's own, may call it"
        if key is None
        else f"the config {key} says what a table is to have"
    )


def warning_of_prefix(own: frozenset[str]) -> str | None:
    """Of the project's macros for Databricks, of which dispatch here does not know."""
    names = {name.removeprefix("databricks__") for name in own if name.startswith("databricks__")}
    lost = sorted(name for name in names if not _is_told_or_found(name, own))
    if not lost:
        return None
    are, them = ("macros {} are", "them") if len(lost) > 1 else ("macro {} is", "it")
    named = ", ".join(f"databricks__{name}" for name in lost)
    return (
        f"the project's {are.format(named)} never found: dispatch looks for deltaspark__, spark__"
        f" and default__. Rename {them}, or let another macro lead to {them}, as in {{% macro"
        f" spark__{lost[0]}() %}}{{{{ return(databricks__{lost[0]}(*varargs, **kwargs)) }}}}"
        "{% endmacro %}"
    )


def _is_told_or_found(name: str, own: frozenset[str]) -> bool:
    is_found = not own.isdisjoint((f"deltaspark__{name}", f"spark__{name}"))
    return is_found or not ANYWHERE.isdisjoint((name, f"databricks__{name}"))
