"""A view in whose place a table stands, which is dropped for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt_common.exceptions import CompilationError

from ..session import served

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def check_view(spark: SparkSession, table: str, sql: str) -> None:
    """Raises what is wrong with the view's query while the table is still there."""
    query = served(spark, sql)
    spark.sql(query).schema  # noqa: B018  Spark Connect analyzes here
    ((plan,),) = spark.sql(f"EXPLAIN EXTENDED {query}").collect()
    if f"SubqueryAlias {table}\n".replace("`", "").lower() in plan.replace("`", "").lower():
        raise CompilationError(
            f"The view is to stand in the place of the table {table}, and reads it. Give the view"
            " another alias, or drop the table where its rows are not needed"
        )
