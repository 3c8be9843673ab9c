"""How models, seeds and snapshots become Delta tables: settings checked, then one commit."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from dbt.adapters.events.types import AdapterEventWarning
from dbt_common.events.functions import warn_or_error
from dbt_common.exceptions import CompilationError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .. import engine
from ..catalog import is_delta
from ..engine.delta import until_no_row_is_lost
from ..session import served
from ..settings import (
    SchemaChange,
    features_of,
    hidden_in_model,
    names_in,
    out_of_sync,
    problems_of_change,
    problems_of_first_run,
    problems_of_later_run,
    problems_of_lengths,
    sql_expressions,
    table_problems,
    warnings_of_change,
    warnings_of_columns,
    warnings_of_first_run,
    warnings_of_later_run,
)
from . import limits, other_formats, python_models, strategies
from .cast_errors import naming_values
from .definitions import defined_and_written, definition_of, new_features, other_location
from .features_given_back import give_back_features
from .layouts import (
    other_layout,
    problems_of_clustering,
    problems_of_dropped,
    refuses_partitions,
    told_of_a_drop,
)
from .model_rows import ModelRows
from .other_tables import delta_made, made_beside, told_if_not_delta, view_aside
from .own_casts import naming_own_casts
from .promised import described, naming_lengths, padded, promised_columns
from .upkeep import kept_up

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from ..engine.spec import Mode
    from ..settings import ModelConfig, TableConfig


NO_VALUE = re.compile(r'For input string: ".*"\Z', re.DOTALL)
"""Java's words for a text that is no boolean, or no number."""


class ModelConfigError(CompilationError):
    """A model's settings cannot be followed; nothing was written."""

    def __init__(self, model: ModelConfig, problems: Sequence[str]) -> None:
        told = dict.fromkeys([*problems, *model.misspelt])
        count = f"{len(told)} config problem{'s' if len(told) > 1 else ''}"
        super().__init__(f"{model.label} has {count}:" + "".join(f"\n  - {each}" for each in told))


def check(model: ModelConfig, problems: Sequence[str], warnings: Sequence[str] = ()) -> None:
    """Raises all problems at once; warns of the rest, which `--warn-error` makes errors too."""
    if problems:
        raise ModelConfigError(model, problems)
    for warning in (*model.misspelt, *model.warnings, *warnings):
        text = f"{model.label}: {warning}"
        if text not in model.told:
            model.told.add(text)
            warn_or_error(AdapterEventWarning(name="deltaspark", base_msg=text))


def rows_of(
    spark: SparkSession, spec: Mapping[str, Any], code: str, model: ModelConfig
) -> ModelRows:
    """The model's rows, analyzed and not read; what is wrong with the settings is told first."""
    if spec.get("language") == "python":
        check(model, model.problems)
        packages = spec["config"].get("packages") or ()
        return ModelRows(python_models.frame_of(spark, code, model.label, packages))
    try:
        query = served(spark, code)
        return ModelRows(spark.sql(query), query)
    except (PySparkException, Py4JError) as error:
        if model.problems:
            raise ModelConfigError(model, model.problems) from error
        raise


def create_table(
    model: ModelConfig,
    rows: ModelRows,
    name: str,
    *,
    replaces_view: bool = False,
    mode: Mode = "overwrite",
) -> engine.MergeResult:
    """A table made, or replaced whole; with mode `error` none is replaced, in a location either."""
    with naming_own_casts(rows.frame, model.unique_key), naming_lengths(model, rows):
        return load_table(model, rows, name, replaces_view=replaces_view, mode=mode)


def load_table(
    model: ModelConfig,
    rows: ModelRows,
    name: str,
    *,
    replaces_view: bool = False,
    mode: Mode = "overwrite",
) -> engine.MergeResult:
    """The same of rows that no query of the user's gives: Spark's error for a cast stays."""
    problems = [
        *model.problems,
        *table_problems(model.table, rows.schema.names),
        *_problems_of_new_table(model, rows),
    ]
    check(model, problems, warnings_of_columns(model.table, rows.schema))
    result = _create(model, rows.frame, name, replaces_view, mode)
    return kept_up(model.table, engine.DeltaTarget.for_name(rows.frame.sparkSession, name), result)


def create_incremental(
    model: ModelConfig, rows: ModelRows, name: str, replaces_view: bool
) -> engine.MergeResult:
    """The first run, or a full refresh."""
    problems = problems_of_first_run(model, rows.schema) + _problems_of_new_table(model, rows)
    problems += hidden_in_model(model, rows.schema.names)
    check(model, problems, warnings_of_first_run(model, rows.schema))

    def created() -> engine.MergeResult:
        with strategies.first_rows(model, rows) as first:
            return _create(model, first, name, replaces_view)

    with naming_own_casts(rows.frame, model.unique_key), naming_lengths(model, rows):
        result = until_no_row_is_lost(created)
    target = engine.DeltaTarget.for_name(rows.frame.sparkSession, name)
    if result.version and model.table.file_format == "delta" and model.may_raise_protocol:
        give_back_features(model, target)
    return kept_up(model.table, target, result)


def _create(
    model: ModelConfig,
    source: DataFrame,
    name: str,
    replaces_view: bool,
    mode: Mode = "overwrite",
) -> engine.MergeResult:
    """One CREATE OR REPLACE commit, with everything the table is to have from its first row on."""
    spark = source.sparkSession
    if elsewhere := _stays_elsewhere(model, spark, name):
        check(model, (), elsewhere)
        model = replace(model, table=replace(model.table, location=None))
    table = model.table
    source = described(source, model, source.columns)
    with view_aside(spark, name) if replaces_view else nullcontext():
        if table.file_format != "delta":
            return other_formats.create(table, source, name)
        return _layout_made(model, spark, name, partial(_delta_table, model, source, mode))


def _stays_elsewhere(model: ModelConfig, spark: SparkSession, name: str) -> list[str]:
    """The warning of a Delta table that is there: Delta moves none that it replaces."""
    table = model.table
    if table.location is None or table.file_format != "delta" or not is_delta(spark, name):
        return []
    return other_location(model, spark, name)


def _layout_made(
    model: ModelConfig, spark: SparkSession, name: str, make: Callable[[str], engine.MergeResult]
) -> engine.MergeResult:
    """A clustered table gives way to a partitioned one: Delta refuses before a row is read."""
    try:
        return delta_made(spark, name, make)
    except PySparkException as error:
        if not refuses_partitions(error):
            raise
        target = engine.DeltaTarget.for_name(spark, name)
        check(model, *told_of_a_drop(model, target))
    return made_beside(spark, name, make)


def _delta_table(
    model: ModelConfig, source: DataFrame, mode: Mode, name: str
) -> engine.MergeResult:
    table = model.table
    return engine.write(
        source,
        engine.DeltaTarget.for_name(source.sparkSession, name),
        mode=mode,
        overwrite_schema=True,
        partition_by=table.partition_by,
        cluster_by=table.cluster_by,
        properties={
            **features_of(source.schema),
            **table.creation_properties(names_in(source.schema)),
        },
        columns=table.constraints.definitions(),
        options=dict(table.options),
        comment=table.comment,
        user_metadata=model.user_metadata,
        idempotency_key=model.idempotency_key,
    )


def add(model: ModelConfig, rows: ModelRows, name: str) -> engine.MergeResult:
    """A later run: what the strategy does to the table that is there."""
    model = limits.held_back(model)
    if model.table.file_format != "delta":
        _check_other_format(model, rows, name)
        if limits.keeps_table(model, rows.frame.sparkSession, name):
            return limits.nothing_written(name)
        return other_formats.add(model.table, model.strategy, rows.frame, name)
    spark, keys = rows.frame.sparkSession, model.unique_key
    with told_if_not_delta(model, spark, name, refreshes=True), naming_own_casts(rows.frame, keys):
        return _added(model, rows, name)


def _check_other_format(model: ModelConfig, rows: ModelRows, name: str) -> None:
    theirs = rows.frame.sparkSession.table(name).schema
    change = SchemaChange.between(rows.schema, theirs)
    problems = [*problems_of_first_run(model, rows.schema), *problems_of_change(model, change)]
    problems += other_formats.other_partitions(model.table, model.strategy, rows.frame, name)
    elsewhere = other_location(model, rows.frame.sparkSession, name)
    check(model, problems, [*warnings_of_change(model.on_schema_change, change), *elsewhere])
    if model.on_schema_change == "fail" and change:
        raise CompilationError(out_of_sync(change))


def _added(model: ModelConfig, rows: ModelRows, name: str) -> engine.MergeResult:
    target = engine.DeltaTarget.for_name(rows.frame.sparkSession, name)
    theirs = target.schema()
    change = SchemaChange.between(rows.schema, strategies.own_schema(model, theirs))
    partitions = strategies.partition_columns(target)
    problems = problems_of_later_run(model, rows.schema, theirs, change)
    problems += problems_of_dropped(model, target, partitions, change)
    problems += [*problems_of_clustering(model, partitions), *_problems_of_spark(model, rows)]
    warnings = [
        *warnings_of_later_run(model, rows.schema, theirs, change),
        *other_layout(model, target, partitions),
        *other_location(model, target.spark, name),
    ]
    (warnings if model.may_raise_protocol else problems).extend(new_features(model, change, target))
    check(model, problems, warnings)
    if model.on_schema_change == "fail" and change:
        raise CompilationError(out_of_sync(change))
    rows = padded(rows, promised_columns(model, theirs, rows.schema))
    given, rows = rows.frame, replace(rows, frame=described(rows.frame, model, change.added))

    def write(alteration: engine.Alteration) -> engine.MergeResult:
        columns = target.schema() if alteration.changes else theirs
        return strategies.write(model, rows, target, columns)

    definition = definition_of(model, theirs.names, change)
    key = model.idempotency_key if model.history is None else None  # later loads have none
    refreshes = model.history is None
    with naming_values(
        lambda: given,
        model.unique_key,
        lambda: promised_columns(model, theirs, rows.schema),
        refreshes=refreshes,
    ):
        result = defined_and_written(model, target, definition, write, key)
    return kept_up(model.table, target, result)


def _problems_of_new_table(model: ModelConfig, rows: ModelRows) -> list[str]:
    of_checks = sql_expressions.check_problems(model, rows.frame)
    return [*_problems_of_spark(model, rows), *of_checks]


def _problems_of_spark(model: ModelConfig, rows: ModelRows) -> list[str]:
    """What Spark and Delta have against expressions and table properties."""
    spark = rows.frame.sparkSession
    return [
        *sql_expressions.model_problems(model, rows.frame),
        *problems_of_properties(spark, model.table),
        *problems_of_lengths(model.table.constraints.lengths, rows.schema),
    ]


def problems_of_properties(spark: SparkSession, table: TableConfig) -> list[str]:
    of_delta = dict(table.properties) if table.file_format == "delta" else {}
    refused = engine.refused_properties(spark, of_delta)
    return [NO_VALUE.sub("it takes true or false, or a number", each) for each in refused]
