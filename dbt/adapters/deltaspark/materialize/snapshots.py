"""Snapshots: settings and columns checked by analysis alone, then one write or one merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, overload

from dbt.adapters.exceptions.compilation import SnapshotTargetNotSnapshotTableError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .. import engine
from ..session import message_of, served
from ..settings import (
    Columns,
    ModelConfig,
    SchemaChange,
    SnapshotSettings,
    column_problems,
    missing_meta_columns,
    problems_of_new_snapshot,
    read_snapshot,
    row_changed,
    snapshot_merge,
    snapshot_problems,
    sql_of,
    warnings_of_added,
    warnings_of_comments,
    warnings_of_narrower_types,
)
from . import limits
from . import tables as materialize
from .cast_errors import naming_values
from .definitions import defined_and_written, definition_of, new_features, other_location
from .headers import after_header
from .model_rows import ModelRows
from .other_tables import told_if_not_delta
from .own_casts import naming_own_casts
from .promised import described, padded_query, promised_columns
from .snapshot_faults import Faults, is_fault
from .snapshot_sources import Snapshot, Strategy
from .snapshot_staging import changes_sql, creation_sql
from .upkeep import kept_up

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

Spec = Mapping[str, Any]
"""A plain dict from the macro deltaspark_snapshot_facts()."""


def strategy_of(
    spark: SparkSession, model: ModelConfig, spec: Spec, table: str | None, old: str, new: str
) -> dict[str, Any]:
    """What dbt's strategy macros answer, but for the ids; `table` is the one that is there.

    Raises ModelConfigError with all problems of the settings, before anything is written.
    """
    with after_header(spark, spec["config"].get("sql_header")) as session:
        settings, rows, theirs = _checked(session, model, spec, table)
    source, target = _columns(rows), _columns(theirs)
    time = settings.updated_at
    return {
        "unique_key": [sql_of(key, source) for key in settings.unique_key],
        "updated_at": settings.now if time is None else sql_of(time, source),
        "row_changed": row_changed(settings, source, target, old, new),
        "invalidate_hard_deletes": settings.hard_deletes == "invalidate",
        "hard_deletes": settings.hard_deletes,
    }


def sql_for(
    spark: SparkSession,
    model: ModelConfig,
    spec: Spec,
    strategy: Mapping[str, Any],
    table: str | None,
) -> str:
    """The query of the snapshot's first table, or of the changes to the one that is there."""
    with after_header(spark, spec["config"].get("sql_header")) as session:
        snapshot, target = _snapshot(session, model, spec, Strategy.of(strategy), table)
    if table is None or target is None:
        return creation_sql(snapshot)
    return changes_sql(snapshot, table, target)


def _snapshot(
    spark: SparkSession, model: ModelConfig, spec: Spec, strategy: Strategy, table: str | None
) -> tuple[Snapshot, Columns | None]:
    """What its SQL is made of, and the columns of the table that is there."""
    settings, rows, theirs = _checked(spark, model, spec, table, strategy.hard_deletes)
    time = f"select {strategy.updated_at} as updated_at from (\n{spec['sql']}\n)"
    snapshot = Snapshot(
        settings=settings,
        strategy=strategy,
        sql=padded_query(spec["sql"], rows, model, theirs),
        source=_columns(rows),
        time_type=spark.sql(served(spark, time)).schema[0].dataType.simpleString(),
        later_scd_id=spec["later_scd_id"].strip(),
    )
    return snapshot, _columns(theirs)


def run(
    spark: SparkSession,
    model: ModelConfig,
    spec: Spec,
    strategy: Mapping[str, Any],
    sql: str,
    name: str,
    *,
    is_there: bool,
) -> engine.MergeResult:
    """Run the query of `sql_for`: the first table in one commit, later changes in one merge."""
    chosen, query = Strategy.of(strategy), served(spark, sql)
    rows = ModelRows(spark.sql(query), query)
    try:
        if is_there:
            limits.tell_of_deletions(model, Strategy.of(strategy).hard_deletes)
            with told_if_not_delta(model, spark, name, refreshes=False):
                return _merge(model, spec, chosen.unique_key, rows, name)
        return materialize.create_table(model, rows, name, mode="error")
    except (PySparkException, Py4JError) as error:
        message = message_of(error, causes=True)
        if not is_fault(message):
            raise
        there = name if is_there else None
        snapshot, target = _snapshot(spark, model, spec, chosen, there)
        faults = Faults(spark, model.label, snapshot, name, target or {})
        raise faults.told(message) from error


def _merge(
    model: ModelConfig,
    spec: Spec,
    key: Sequence[str],
    changes: ModelRows,
    name: str,
) -> engine.MergeResult:
    target = engine.DeltaTarget.for_name(changes.frame.sparkSession, name)
    theirs = target.schema()
    columns, known = _columns(changes.schema), _columns(theirs)
    change, settings = SchemaChange.between(changes.schema, theirs), read_snapshot(spec)
    merge = snapshot_merge(settings, key, columns, known)
    own, grows = settings.added_columns, bool(merge.evolve_schema)
    told = [
        *warnings_of_narrower_types(change, own, grows=grows),
        *(warnings_of_added(changes.schema, change) if grows else ()),
        *warnings_of_comments(model.table, [*columns, *known]),
        *other_location(model, target.spark, name),
    ]
    problems = [*model.problems]
    features = new_features(model, change, target, grows=grows)
    (told if model.may_raise_protocol else problems).extend(features)
    materialize.check(model, problems, told)
    rows = described(changes.frame, model, change.added)

    def kept() -> StructType:
        return promised_columns(model, theirs, changes.schema)

    def write(_: engine.Alteration) -> engine.MergeResult:
        return engine.merge(
            target,
            rows,
            merge,
            source_sql=changes.sql,
            conflict_retries=model.conflict_retries,
            user_metadata=model.user_metadata,
        )

    definition = definition_of(model, theirs.names, change, grows=grows)
    with naming_own_casts(rows, key), naming_values(lambda: changes.frame, key, kept):
        result = defined_and_written(model, target, definition, write)
    return kept_up(model.table, target, result)


def _checked(
    spark: SparkSession,
    model: ModelConfig,
    spec: Spec,
    table: str | None,
    hard_deletes: str | None = None,
) -> tuple[SnapshotSettings, StructType, StructType | None]:
    """The settings, the query's columns and the table's; raises where they do not fit."""
    settings = read_snapshot(spec)
    settings = replace(settings, hard_deletes=hard_deletes or settings.hard_deletes)
    early = [*model.problems, *settings.problems]
    try:
        rows = spark.sql(served(spark, spec["sql"])).schema
    except (PySparkException, Py4JError) as error:
        if early:
            raise materialize.ModelConfigError(model, early) from error
        raise
    theirs = None if table is None else spark.table(table).schema
    source, target = _columns(rows), _columns(theirs)
    problems = [
        *early,
        *column_problems(settings, source, target),
        *(problems_of_new_snapshot(model.table, settings, source) if target is None else ()),
        *snapshot_problems(spark, settings, [*source]),
        *materialize.problems_of_properties(spark, model.table),
    ]
    if problems:
        raise materialize.ModelConfigError(model, problems)
    if target is not None and (missing := missing_meta_columns(settings, target)):
        raise SnapshotTargetNotSnapshotTableError(missing)
    return settings, rows, theirs


@overload
def _columns(schema: StructType) -> Columns: ...
@overload
def _columns(schema: None) -> None: ...
def _columns(schema: StructType | None) -> Columns | None:
    return None if schema is None else {each.name: each.dataType for each in schema.fields}
