"""Keys of an incremental model that exclude or need each other, and those that say nothing beside
others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..scd2 import compares_nothing
from .config_reader import as_flag, is_asked

if TYPE_CHECKING:
    from .config_reader import ConfigReader
    from .merge_config import MergeConfig
    from .table import TableConfig

OTHER_FORMATS_KNOW = ("append", "insert_overwrite")
OF_A_STEP = {
    "skip_matched_step": (
        "matched_condition",
        "merge_update_columns",
        "merge_exclude_columns",
        "merge_update_set_expressions",
        "merge_only_changed",
    ),
    "skip_not_matched_step": ("not_matched_condition",),
}
"""What only the step reads that the key leaves out."""


def problems_of_merges(
    reader: ConfigReader,
    strategy: str,
    merge: MergeConfig,
    unique_key: Sequence[str],
    predicates: Sequence[str],
) -> Iterator[str]:
    """What a merge, or an insert_only, cannot be told together."""
    if strategy == "merge" and merge.on is not None and unique_key:
        yield "merge_on is the whole condition; leave unique_key out"
    if strategy == "merge" and not (merge.on or unique_key or predicates):
        yield "merge_clauses needs unique_key or merge_on, which say what matches"
    for key in ("merge_on", "merge_clauses"):
        if strategy == "insert_only" and reader.value(key) is not None:
            yield (
                "incremental_strategy 'insert_only' adds the rows whose unique_key is not in the"
                f" table and does nothing else; leave {key} out, or use incremental_strategy: merge"
            )
    if merge.duplicates.startswith("keep_") and not unique_key and strategy != "append":
        yield f"on_duplicate_keys {merge.duplicates!r} needs unique_key"


def problems_of_histories(
    updated_at: str | None, check_columns: Sequence[str] | None, unique_key: Sequence[str]
) -> Iterator[str]:
    """Columns to compare of which none is ever compared."""
    if not compares_nothing(check_columns, unique_key, updated_at):
        return
    named = "the key and scd2_updated_at, which are" if updated_at else "the key, which is"
    way_out = ", or leave it out" if updated_at else ""
    yield (
        f"scd2_check_columns names only {named} never compared; name the columns whose change makes"
        f" a version{way_out}"
    )


def problems_of_other_formats(strategy: str, kind: str, replace_on: Sequence[str]) -> Iterator[str]:
    """Strategies and keys that only Delta tables can follow."""
    if kind == "delta":
        return
    if strategy not in OTHER_FORMATS_KNOW:
        yield (
            f"incremental_strategy {strategy!r} needs file_format 'delta', got"
            f" {kind!r}, which knows {' and '.join(OTHER_FORMATS_KNOW)}"
        )
    if strategy == "insert_overwrite" and replace_on:
        yield (
            f"replace_on needs file_format 'delta', got {kind!r}, where whole partitions are"
            " replaced, or the whole table; leave replace_on out"
        )


def never_clustered(config: Mapping[str, Any], table: TableConfig) -> Iterator[str]:
    """A clustering that no run of the model brings about; something else may."""
    is_delta = table.file_format == "delta" and config.get("materialized") != "view"
    runs = table.upkeep is not None or is_asked(config.get("skip_optimize"))
    if table.cluster_by and is_delta and not runs:
        yield (
            "liquid_clustered_by: Delta clusters files when OPTIMIZE runs, and no `optimize` of"
            " the model runs it; optimize: {after_runs: N} does, and skip_optimize: true says that"
            " something else does"
        )


def without_effect(reader: ConfigReader, strategy: str) -> Iterator[str]:
    """A warning for each key that another one takes the effect from."""
    if not reader.flag("skip_empty", True):
        yield "skip_empty: false has no effect: a merge that changes nothing commits nothing"
    if strategy != "merge":
        return
    for step, keys in OF_A_STEP.items():
        if as_flag(reader.value(step)):
            idle = [key for key in keys if is_asked(reader.value(key))]
            yield from (f"{key} has no effect with {step}" for key in idle)
    keeps = str(reader.value("on_duplicate_keys")).startswith("keep_")
    if reader.value("duplicate_keys_order_by") and not keeps:
        yield "duplicate_keys_order_by has no effect without on_duplicate_keys: keep_…"
