"""A table that is there, clustered or partitioned otherwise than its model says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..catalog import is_managed, location_of
from ..column_names import found
from ..settings import name_parts

if TYPE_CHECKING:
    from pyspark.errors import PySparkException

    from .. import engine
    from ..settings import ModelConfig, SchemaChange

REFUSED = "DELTA_CLUSTERING_REPLACE_TABLE_WITH_PARTITIONED_TABLE"


def other_layout(
    model: ModelConfig, target: engine.DeltaTarget, partitions: list[str]
) -> list[str]:
    """A table keeps its partitioning, by these columns, until it is made anew."""
    wanted = [name.lower() for name in model.table.partition_by]
    if [name.lower() for name in partitions] == wanted:
        return []
    if wanted and (clustering := _clustering(target)) is not None:
        return [f"{_told(model, clustering)}; {_until(model, target)}"]
    said = f"is {list(model.table.partition_by)}" if wanted else "is not set"
    return [
        f"partition_by {said}, and the table is partitioned by {partitions}; it keeps that until a"
        " run with --full-refresh"
    ]


def refuses_partitions(error: PySparkException) -> bool:
    """Whether Delta refuses to replace a table because it is, or was once, a clustered one."""
    return error.getCondition() == REFUSED


def told_of_a_drop(model: ModelConfig, target: engine.DeltaTarget) -> tuple[list[str], list[str]]:
    """Why a clustered table does not give way to a partitioned one, since its files would stay;
    where it does, the warning of it.
    """
    told = _told(model, _clustering(target) or [])
    if (folder := _own_folder(model, target)) is not None:
        return [f"{told}; {_by_hand(folder)}"], []
    ends = "so it is dropped and made anew: its history ends"
    return [], [f"{told}; Delta makes no partitioned table of it, {ends}"]


def problems_of_clustering(model: ModelConfig, partitions: list[str]) -> list[str]:
    """A partitioned table is not clustered before it is made anew."""
    table = model.table
    if not (model.applies_changes and table.cluster_by and partitions):
        return []
    return [
        f"liquid_clustered_by is {list(table.cluster_by)}, and the table is partitioned by"
        f" {partitions}, which Delta does not cluster: run the model with --full-refresh to make it"
        " anew"
    ]


def problems_of_dropped(
    model: ModelConfig, target: engine.DeltaTarget, partitions: list[str], change: SchemaChange
) -> list[str]:
    """Columns that sync_all_columns would drop, and that Delta keeps for the table's layout."""
    gone = change.removed if model.on_schema_change == "sync_all_columns" else ()
    if not gone:
        return []
    stays = not model.applies_changes or model.table.definition((), (), {}).cluster_by is None
    layout = {
        "partitioned": partitions,
        "clustered": [name_parts(each)[0] for each in _clustering(target) or [] if stays],
    }
    kept = {how: [each for each in names if found(each, gone)] for how, names in layout.items()}
    return [
        f"on_schema_change 'sync_all_columns' would drop {', '.join(names)}, by which the table is"
        f" {how}, and Delta drops no such column: keep it in the model, or take it out of the"
        " settings and run the model with --full-refresh"
        for how, names in kept.items()
        if names
    ]


def _clustering(target: engine.DeltaTarget) -> list[str] | None:
    """What a table is clustered by that Delta never makes a partitioned one of; None for others."""
    details = target.spark.sql(f"DESCRIBE DETAIL {target.name}").collect()[0]
    clustered = "clustering" in (details["tableFeatures"] or ())
    return list(details["clusteringColumns"]) if clustered else None


def _told(model: ModelConfig, clustering: list[str]) -> str:
    now = f"is clustered by {clustering}" if clustering else "was clustered once"
    return f"partition_by is {list(model.table.partition_by)}, and the table {now}"


def _until(model: ModelConfig, target: engine.DeltaTarget) -> str:
    if (folder := _own_folder(model, target)) is not None:
        return f"it stays so; {_by_hand(folder)}"
    return "it stays so until a run with --full-refresh drops it and makes it anew"


def _by_hand(folder: str) -> str:
    return (
        f"Delta makes no partitioned table of it: drop the table, and remove its folder {folder},"
        " which DROP TABLE leaves, before the next run"
    )


def _own_folder(model: ModelConfig, target: engine.DeltaTarget) -> str | None:
    """Where a table has its files that a drop leaves there; None where it removes them."""
    if model.table.location is None and is_managed(target.spark, target.name):
        return None
    return location_of(target.spark, target.name)
