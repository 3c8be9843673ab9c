"""How models, seeds and snapshots become Delta tables: settings checked, then one commit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dbt.adapters.events.types import AdapterEventWarning
from dbt_common.events.functions import warn_or_error
from dbt_common.exceptions import CompilationError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from . import engine
from .engine.spec import quoted
from .merge_config import (
    Columns,
    SchemaChange,
    all_problems,
    merge_spec,
    out_of_sync,
    warnings_of_change,
)
from .model_config import ModelConfig, columns_problems
from .snapshot_config import snapshot_spec

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType


class ModelConfigError(CompilationError):
    """A model's settings cannot be followed; nothing was written."""

    def __init__(self, model: ModelConfig, problems: Sequence[str]) -> None:
        count = f"{len(problems)} config problem{'s' if len(problems) > 1 else ''}"
        super().__init__(
            f"{model.label} has {count}:" + "".join(f"\n  - {each}" for each in problems)
        )


def check(model: ModelConfig, problems: Sequence[str], warnings: Sequence[str] = ()) -> None:
    """Raises all problems at once; warns of the rest, which `--warn-error` makes errors too."""
    if problems:
        raise ModelConfigError(model, problems)
    for warning in (*model.warnings, *warnings):
        warn_or_error(AdapterEventWarning(name="deltaspark", base_msg=f"{model.label}: {warning}"))


def analyzed(spark: SparkSession, sql: str, model: ModelConfig) -> DataFrame:
    """The SELECT, analyzed and not run; what is wrong with the settings is told first."""
    try:
        return spark.sql(sql)
    except (PySparkException, Py4JError) as error:
        check(model, model.problems)
        raise error


def columns_of(schema: StructType) -> Columns:
    return {field.name: field.dataType.simpleString() for field in schema.fields}


def create(
    model: ModelConfig, source: DataFrame, name: str, replaces_view: bool
) -> engine.MergeResult:
    """One CREATE OR REPLACE commit, with everything the table is to have from its first row on."""
    spark, table = source.sparkSession, model.table
    if replaces_view:
        spark.sql(f"DROP VIEW IF EXISTS {name}")
    return engine.write(
        _with_comments(source, table.column_comments),
        engine.DeltaTarget.for_name(spark, name),
        mode="overwrite",
        overwrite_schema=True,
        partition_by=table.partition_by,
        properties={**table.properties_for(source.columns), **table.location_property},
        options=dict(table.options),
        comment=table.comment,
    )


def create_table(
    model: ModelConfig, source: DataFrame, name: str, replaces_view: bool
) -> engine.MergeResult:
    check(model, [*model.problems, *columns_problems(model, source.columns)])
    return create(model, source, name, replaces_view)


def create_incremental(
    model: ModelConfig, source: DataFrame, name: str, replaces_view: bool
) -> engine.MergeResult:
    """The first run, or a full refresh."""
    both = model.update_columns is not None and model.exclude_columns is not None
    later = ["merge_update_columns and merge_exclude_columns exclude each other when merging"]
    check(model, all_problems(model, columns_of(source.schema), None), later if both else ())
    return create(model, source, name, replaces_view)


def add(
    model: ModelConfig, source: DataFrame, sql: str, name: str, conflict_retries: int
) -> engine.MergeResult:
    """A later run: a merge or an append on the table that is there."""
    target = engine.DeltaTarget.for_name(source.sparkSession, name)
    ours, theirs = columns_of(source.schema), columns_of(target.schema())
    change = SchemaChange.between(ours, theirs)
    check(model, all_problems(model, ours, change), warnings_of_change(model, change))
    if model.on_schema_change == "fail" and change:
        raise CompilationError(out_of_sync(change))
    if model.strategy == "append":
        return _append(model, source, target, change)
    return engine.merge(
        target,
        source,
        merge_spec(model, ours, theirs),
        source_sql=sql,
        conflict_retries=conflict_retries,
    )


def _append(
    model: ModelConfig, source: DataFrame, target: engine.DeltaTarget, change: SchemaChange
) -> engine.MergeResult:
    written = source if model.evolves else source.drop(*map(quoted, change.added))
    return engine.write(
        written,
        target,
        mode="append",
        merge_schema=model.evolves,
        options=dict(model.table.options),
    )


def merge_snapshot(
    spec: Mapping[str, Any], source: DataFrame, sql: str, name: str, conflict_retries: int
) -> engine.MergeResult:
    """Closes the rows that changed and adds the new ones, in one merge of the staging query."""
    target = engine.DeltaTarget.for_name(source.sparkSession, name)
    merge = snapshot_spec(spec, source.columns, target.schema().names)
    return engine.merge(target, source, merge, source_sql=sql, conflict_retries=conflict_retries)


def _with_comments(source: DataFrame, comments: Sequence[tuple[str, str]]) -> DataFrame:
    names = {name.casefold(): name for name in source.columns}
    for name, comment in comments:
        if (column := names.get(name.casefold())) is not None:
            source = source.withMetadata(column, {"comment": comment})
    return source
