"""Every incremental strategy as one call of the engine, on a table that is there."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from dbt_common.exceptions import DbtRuntimeError
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from .. import engine, scd2
from ..column_names import found
from ..engine.delta import AUTOMATIC_WIDENING, NO_WIDENING, session_confs, widening_of
from ..engine.spec import quoted
from ..settings import (
    SchemaChange,
    merge_spec,
    name_parts,
    qualified,
    shared,
    unqualified,
    window_of,
)
from ..settings import scd2 as scd2_settings
from . import limits
from .batches import FILTERED, rows_of_batch

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from pyspark.sql import DataFrame

    from ..settings import ModelConfig
    from .model_rows import ModelRows

SOURCE, TARGET = "DBT_INTERNAL_SOURCE", "DBT_INTERNAL_DEST"
MERGES = ("merge", "insert_only")
PARTITIONS = ("# Partition Information", "")
"""The line of DESCRIBE TABLE before their heading and their names; a column has a type."""


def write(
    model: ModelConfig, rows: ModelRows, target: engine.DeltaTarget, theirs: StructType
) -> engine.MergeResult:
    """Run the model's strategy on the table of these columns, in one commit or none."""
    change = SchemaChange.between(rows.schema, theirs)
    rows = _without_duplicates(model, rows)
    rows = _without_what_is_not_written(model, rows, theirs, change)
    with _types_kept(model, rows, change):
        return _written(model, rows, target, theirs, change)


def _types_kept(
    model: ModelConfig, rows: ModelRows, change: SchemaChange
) -> AbstractContextManager[None]:
    """Where a field is missing, Delta fills it under schema evolution alone, which also widens
    columns of a table that has type widening on: not unless the model asks for it.
    """
    widens = change.nested_removed and change.retyped and not model.evolves
    confs = {AUTOMATIC_WIDENING: NO_WIDENING} if widens else {}
    return session_confs(rows.frame.sparkSession, confs)


def _written(
    model: ModelConfig,
    rows: ModelRows,
    target: engine.DeltaTarget,
    theirs: StructType,
    change: SchemaChange,
) -> engine.MergeResult:
    match model.strategy:
        case "merge" | "insert_only":
            return _merge(model, rows, target, theirs, change)
        case "append":
            return _write(model, rows, target, change, mode="append")
        case "delete+insert":
            rows, replaced = _delete_insert(model, rows)
        case "insert_overwrite":
            replaced = _insert_overwrite(model, target)
        case "replace_where":
            replaced = {"replace_where": " AND ".join(_predicates(model))}
        case "microbatch":
            return _batch(model, rows, target, theirs, change)
        case "scd2":
            return _history(model, rows, target)
        case unknown:
            raise AssertionError(f"no strategy {unknown!r}")
    return _replace(model, rows, target, theirs, change, replaced)


def _without_what_is_not_written(
    model: ModelConfig, rows: ModelRows, theirs: StructType, change: SchemaChange
) -> ModelRows:
    """Merges leave whole columns out by themselves, which conditions may read; fields and writes
    need it done.
    """
    nested = bool(change.nested_added or change.nested_removed)
    if model.evolves or not (nested or (change.added and model.strategy not in MERGES)):
        return rows
    read = map(quoted, change.added if model.strategy in MERGES else ())
    return rows.select(*shared(rows.schema, theirs), *read)


def _merge(
    model: ModelConfig,
    rows: ModelRows,
    target: engine.DeltaTarget,
    theirs: StructType,
    change: SchemaChange,
) -> engine.MergeResult:
    merge = model.merge
    if all(clause.action == "do_nothing" for clause in merge.clauses):
        return _only_columns(model, rows, target, change)
    compares = any(clause.only_changed for clause in merge.clauses)
    retypes = compares and model.evolves and bool(change.retyped)
    widening = widening_of(target.spark, target.name) if retypes else NO_WIDENING
    return engine.merge(
        target,
        rows.frame,
        merge_spec(model, rows.schema, theirs, change, widening=widening),
        source_sql=rows.sql,
        conflict_retries=model.conflict_retries,
        user_metadata=model.user_metadata,
        idempotency_key=model.idempotency_key,
    )


def _without_duplicates(model: ModelConfig, rows: ModelRows) -> ModelRows:
    """One row of each key, where on_duplicate_keys of a merge says which."""
    merge = model.merge
    if model.strategy not in MERGES or not merge.duplicates.startswith("keep_"):
        return rows
    keys = [quoted(key) if found(key, rows.schema.names) else key for key in model.unique_key]
    return rows.one_of_each(keys, merge.order_by, last=merge.duplicates == "keep_last")


def _write(
    model: ModelConfig,
    rows: ModelRows,
    target: engine.DeltaTarget,
    change: SchemaChange,
    **replaced: Any,
) -> engine.MergeResult:
    grows = model.evolves and (change.grows or bool(change.retyped))
    return engine.write(
        rows.frame,
        target,
        **replaced,
        merge_schema=grows or bool(change.nested_removed),
        options=dict(model.table.options),
        user_metadata=model.user_metadata,
        idempotency_key=model.idempotency_key,
        conflict_retries=model.conflict_retries,
        source_sql=rows.sql,
    )


def _only_columns(
    model: ModelConfig, rows: ModelRows, target: engine.DeltaTarget, change: SchemaChange
) -> engine.MergeResult:
    """The table gets new columns of the model and none of its rows."""
    return _write(model, rows.where("false"), target, change, mode="append")


def _replace(
    model: ModelConfig,
    rows: ModelRows,
    target: engine.DeltaTarget,
    theirs: StructType,
    change: SchemaChange,
    replaced: dict[str, Any],
) -> engine.MergeResult:
    """The rows in the place of those that give way; in a limited run where there are none."""
    if not limits.keeps_rows(model, replaced):
        return _write(model, rows, target, change, mode="overwrite", **replaced)
    partitions = replaced.get("partition_by", ())
    by_partition = " AND ".join(_same(key, partitions) for key in partitions)
    if match := replaced.get("replace_on") or by_partition:
        return _merge(limits.inserting(model, match), rows, target, theirs, change)
    if limits.has_rows(model, target.spark, target.name, replaced.get("replace_where")):
        return _only_columns(model, rows, target, change)
    return _write(model, rows, target, change, mode="overwrite", **replaced)


def _batch(
    model: ModelConfig,
    rows: ModelRows,
    target: engine.DeltaTarget,
    theirs: StructType,
    change: SchemaChange,
) -> engine.MergeResult:
    """The rows of one batch in the place of those of its window, which the predicates narrow."""
    batch = model.batch
    assert batch is not None
    replaced = " AND ".join([window_of(batch, rows.schema), *_predicates(model)])
    try:
        return _replace(model, rows, target, theirs, change, {"replace_where": replaced})
    except engine.ReplaceWhereViolationError as error:
        narrowed = " and for which incremental_predicates hold" if model.predicates else ""
        what = (
            f"microbatch replaces the rows of {error.table} whose event_time {batch.event_time!r}"
            f" is from {batch.start} to {batch.end}{narrowed}, but the model gives this batch"
            " others"
        )
        raise DbtRuntimeError(error.told(what, FILTERED)) from error


def _delete_insert(model: ModelConfig, rows: ModelRows) -> tuple[ModelRows, dict[str, Any]]:
    """The source's keys give way; a predicate holds back rows of both sides alike."""
    columns = rows.schema.names
    aliases = (model.merge.source_alias, model.merge.target_alias)
    predicates = [unqualified(each, aliases) for each in model.predicates]
    matches = [_same(key, columns) for key in model.unique_key]
    held = [f"({qualified(each, columns, TARGET)}\n)" for each in predicates]
    for predicate in predicates:
        rows = rows.where(f"({predicate}\n)")
    return rows, _on([*matches, *held])


def _insert_overwrite(model: ModelConfig, target: engine.DeltaTarget) -> dict[str, Any]:
    """Partitions that the table has, else tuples of columns, else all rows."""
    keys = model.replace_on or model.table.partition_by or model.table.cluster_by
    if not keys:
        return {}
    partitions = partition_columns(target)
    if not model.replace_on and {*map(str.lower, partitions)} == {*map(str.lower, keys)}:
        # Of a table that another writer has replaced meanwhile other rows would give way.
        return {"dynamic_partitions": True, "partition_by": partitions}
    return _on([_same(key, keys) for key in keys])


def partition_columns(target: engine.DeltaTarget) -> list[str]:
    """What the table is partitioned by, which a later setting does not change; no Spark job."""
    rows = target.spark.sql(f"DESCRIBE TABLE {target.name}").collect()
    lines = [(row[0], row[1]) for row in rows]
    if PARTITIONS not in lines:
        return []
    return [name_parts(name)[0] for name, _ in lines[lines.index(PARTITIONS) + 2 :]]


def _on(conditions: list[str]) -> dict[str, Any]:
    return {
        "replace_on": " AND ".join(conditions),
        "target_alias": TARGET,
        "source_alias": SOURCE,
    }


def _same(key: str, columns: Any) -> str:
    """The key equal on both sides, null to null: a column, or an expression over columns."""
    if found(key, columns) is not None:
        return f"{TARGET}.{quoted(key)} <=> {SOURCE}.{quoted(key)}"
    return f"({qualified(key, columns, TARGET)}) <=> ({qualified(key, columns, SOURCE)})"


def _predicates(model: ModelConfig) -> list[str]:
    """For rows of either side, each in parentheses of its own."""
    aliases = (model.merge.source_alias, model.merge.target_alias)
    return [f"({unqualified(each, aliases)}\n)" for each in model.predicates]


def own_schema(model: ModelConfig, target: StructType) -> StructType:
    """The table's columns, without those that the strategy writes beside the model's."""
    written = () if model.history is None else scd2_settings.written(model.history)
    return StructType([each for each in target.fields if found(each.name, written) is None])


def first_rows(model: ModelConfig, rows: ModelRows) -> AbstractContextManager[DataFrame]:
    """What a table that is made anew begins with; it can be read until the end."""
    if model.batch is not None:
        return nullcontext(rows_of_batch(model, model.batch, rows).frame)
    if model.history is None:
        return nullcontext(_without_duplicates(model, rows).frame)
    settings = scd2_settings.resolved(model, rows.schema.names)
    return scd2.first_load(rows.frame, settings, F.current_timestamp())


def _history(model: ModelConfig, rows: ModelRows, target: engine.DeltaTarget) -> engine.MergeResult:
    return scd2.load(
        rows.frame,
        target,
        scd2_settings.resolved(model, rows.schema.names),
        F.current_timestamp(),
        evolve=model.evolves,
        source_sql=rows.sql,
        conflict_retries=model.conflict_retries,
        user_metadata=model.user_metadata,
    )
