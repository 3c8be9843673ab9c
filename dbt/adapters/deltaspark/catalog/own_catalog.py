"""The names in Spark's own catalog, asked without a statement.

SHOW is parsed, analyzed, planned and run as a query is, and SHOW USER FUNCTIONS parses the name of
each builtin function, too: in a JVM that has just started they take seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql.utils import is_remote

from ..engine.delta import Jvm
from ..engine.spec import SESSION_CATALOG
from ..session import CATALOG_URL, DELTA_CATALOG, EMBEDDED_URL
from ..settings import EMBEDDED, OTHER, OWN

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LINE = "\n"


def is_asked_so(spark: SparkSession, catalog: str) -> bool:
    """Whether this is Spark's own catalog, in this process: no other keeps its names there."""
    if is_remote() or catalog.lower() != SESSION_CATALOG:
        return False
    own = spark.conf.get(f"spark.sql.catalog.{SESSION_CATALOG}", None)
    return own == DELTA_CATALOG


def kind(spark: SparkSession, catalog: str) -> str:
    """Whose rules the names in it follow, as `settings` has them."""
    own = spark.conf.get(f"spark.sql.catalog.{SESSION_CATALOG}", None)
    if catalog.lower() != SESSION_CATALOG or own != DELTA_CATALOG:
        return OTHER
    url = str(spark.conf.get(CATALOG_URL, "") or "")
    return EMBEDDED if url.startswith(EMBEDDED_URL) else OWN


def schemas(spark: SparkSession) -> list[str]:
    return _names(_catalog(spark).listDatabases())


def tables(spark: SparkSession, schema: str) -> list[str]:
    """Of tables and views; raises AnalysisException where there is no such schema."""
    return _names(_catalog(spark).listTables(schema.lower()))


def views(spark: SparkSession, schema: str) -> list[str]:
    return _names(_catalog(spark).listViews(schema.lower(), "*"))


def functions(spark: SparkSession, schema: str) -> list[str]:
    return _names(_catalog(spark).listFunctions(schema.lower(), "*"))


def _catalog(spark: SparkSession) -> Any:
    """The one that all sessions share, beneath their temporary views and functions."""
    return Jvm(spark).session.sharedState().externalCatalog()


def _names(names: Any) -> list[str]:
    """Of a Scala Seq, by one call."""
    text: str = names.mkString(LINE)
    return text.split(LINE) if text else []
