"""What Spark's analyzer and parser say of a query and of an expression; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .definition import delta_table
from .delta import Jvm, reads_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SELECT_ITEMS = {"Alias", "MultiAlias", "UnresolvedStar"}


def may_read(source: DataFrame, table: str) -> bool:
    """Whether the query reads the Delta table, in subqueries too."""
    jvm = Jvm(source.sparkSession)
    return reads_table(jvm, jvm.analyzed(source), delta_table(jvm, table).deltaLog())


def is_select_item(spark: SparkSession, text: str) -> bool:
    """Whether Spark's parser takes the text for an item of a SELECT, and no value.

    Raises ParseException for what is no expression by itself.
    """
    parser = spark._jsparkSession.sessionState().sqlParser()
    return parser.parseExpression(text).getClass().getSimpleName() in SELECT_ITEMS
