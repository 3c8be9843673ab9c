"""What Spark's analyzer and parser say of a query and of an expression; nothing is run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .definition import delta_table
from .delta import Jvm, reads_table

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def may_read(source: DataFrame, table: str) -> bool:
    """Whether the query reads the Delta table, in subqueries too."""
    jvm = Jvm(source.sparkSession)
    return reads_table(jvm, jvm.analyzed(source), delta_table(jvm, table).deltaLog())


def expression_kind(spark: SparkSession, text: str) -> str:
    """What Spark's parser makes of the text, as the name of its class.

    Raises ParseException for what is no expression by itself.
    """
    parser = spark._jsparkSession.sessionState().sqlParser()
    return str(parser.parseExpression(text).getClass().getSimpleName())
