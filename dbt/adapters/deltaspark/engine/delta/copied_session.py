"""A copy of the caller's session, whose confs the engine may set."""

from __future__ import annotations

from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from ..spec import SESSION_CATALOG, quoted
from .server_sessions import kept_open

KNOWS_ITS_COMMITS = ("spark.databricks.delta.commit.idempotencyCheck.enabled", "true")
"""A commit that meets itself in the log, as its answer got lost, has landed. Without this Delta
takes it for another writer's, and puts the same files on top of it once more."""


def cloned(spark: SparkSession) -> SparkSession:
    """A session with the confs, temp views, functions and current names of this one, which sees
    nothing of it.
    """
    if is_remote():
        copy = kept_open(spark.cloneSession())  # type: ignore[attr-defined]
    else:
        copy = SparkSession(spark.sparkContext, spark._jsparkSession.cloneSession())
    copy.conf.set(*KNOWS_ITS_COMMITS)
    if (catalog := spark.catalog.currentCatalog()) != SESSION_CATALOG:
        # Spark copies the current schema of its own catalog alone.
        schema = spark.catalog.currentDatabase()
        copy.sql(f"USE {'.'.join(filter(None, [quoted(catalog), schema]))}")
    return copy
