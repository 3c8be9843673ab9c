"""A copy of the caller's session, whose confs the engine may set."""

from __future__ import annotations

from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from ..spec import SESSION_CATALOG, quoted
from .server_sessions import kept_open

KNOWS_ITS_COMMITS = ("spark.databricks.delta.commit.idempotencyCheck.enabled", "true")
"""A commit that meets itself in the log, as its answer got lost, has landed. Without this Delta
takes it for another writer's, and puts the same files on top of it once more."""


def cloned(spark: SparkSession) -> SparkSession:
    """A session with the confs, temp views, functions, variables (not over Spark Connect) and
    current names of this one, which sees nothing of it.
    """
    if is_remote():
        copy = kept_open(spark.cloneSession())  # type: ignore[attr-defined]
    else:
        copy = SparkSession(spark.sparkContext, spark._jsparkSession.cloneSession())
        _copy_variables(spark, copy)
    copy.conf.set(*KNOWS_ITS_COMMITS)
    if (catalog := spark.catalog.currentCatalog()) != SESSION_CATALOG:
        # Spark copies the current schema of its own catalog alone.
        schema = spark.catalog.currentDatabase()
        copy.sql(f"USE {'.'.join(filter(None, [quoted(catalog), schema]))}")
    return copy


def _copy_variables(spark: SparkSession, copy: SparkSession) -> None:
    """With their values and defaults. Spark's own copy is without, and it has no list of them."""
    variables = _variables(spark)
    if variables.isEmpty():
        return
    others = _variables(copy)
    held = variables.getClass().getDeclaredField("variables")
    held.setAccessible(True)
    held.get(others).addAll(held.get(variables))


def _variables(spark: SparkSession) -> Any:
    return spark._jsparkSession.sessionState().catalogManager().tempVariableManager()
