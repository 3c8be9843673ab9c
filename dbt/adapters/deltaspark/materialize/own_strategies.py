"""Strategies of a project's own: a view of the model's rows, and the statements that read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from .. import engine
from ..engine.delta import noted, session_confs
from ..session import served
from ..settings import SchemaChange
from .cast_errors import naming_values
from .definitions import defined_and_written, definition_of, other_location
from .headers import headed
from .layouts import other_layout, problems_of_clustering
from .limits import nothing_written, withholds
from .strategies import partition_columns
from .tables import check, rows_of
from .upkeep import kept_up

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..settings import ModelConfig


def view_of_rows(
    spark: SparkSession, spec: Mapping[str, Any], code: str, model: ModelConfig, view: str
) -> dict[str, str]:
    """Makes a temporary view of the model's rows; returns the confs that sql_header set for it.

    The view of a query reads tables when it is read itself, as the strategy's statements go on.
    """
    with headed(spark, spec["config"].get("sql_header")) as confs:
        if spec.get("language") == "python":
            rows_of(spark, spec, code, model).frame.createOrReplaceTempView(view)
        else:
            check(model, model.problems)
            spark.sql(served(spark, f"create or replace temporary view {view} as\n{code}"))
    return confs


def run(
    spark: SparkSession,
    model: ModelConfig,
    statements: Sequence[str],
    name: str,
    confs: Mapping[str, str],
    view: str,
) -> engine.MergeResult:
    """What the strategy's statements wrote; the numbers are those of the last commit.

    Before them a Delta table becomes what the settings say; after them OPTIMIZE may run. `confs`
    are in force while they run. `view` has the model's rows.
    """

    def write(_: object = None) -> engine.MergeResult:
        if withholds(model, statements):
            return nothing_written(name)
        runs = [partial(_run, spark, each) for each in statements]
        naming = naming_values(
            lambda: spark.table(view),
            model.unique_key,
            lambda: spark.table(name).schema,
            refreshes=True,
            by_own_statements=True,
        )
        with session_confs(spark, {**confs, **noted(model.user_metadata)}), naming:
            return engine.observed(spark, name, *runs)

    if model.table.file_format != "delta":
        return write()
    target = engine.DeltaTarget.for_name(spark, name)
    partitions = partition_columns(target)
    layout = [*other_layout(model, target, partitions), *other_location(model, spark, name)]
    check(model, [*model.problems, *problems_of_clustering(model, partitions)], layout)
    definition = definition_of(model, target.schema().names, SchemaChange())
    return kept_up(model.table, target, defined_and_written(model, target, definition, write))


def _run(spark: SparkSession, statement: str) -> None:
    spark.sql(served(spark, statement)).collect()
