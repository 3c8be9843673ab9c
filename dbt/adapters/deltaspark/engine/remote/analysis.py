"""What a server's analyzer and parser say of a query and of an expression: less than in a JVM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors import ParseException, PySparkException
from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def may_read(source: DataFrame, table: str) -> bool:  # noqa: ARG001
    """A server does not say."""
    return True


def is_select_item(spark: SparkSession, text: str) -> bool:
    """Of what a server's parser makes of the text nobody hears more than errors."""
    refuse_other_than_one_expression(spark, text)
    return False


def refuse_other_than_one_expression(spark: SparkSession, text: str) -> None:
    """Raises the parser's error for what is no expression by itself, such as `id) or (1=1`.

    Or for a comment that is left open: it would reach into what follows.
    """
    try:
        spark.range(0).select(F.expr(text)).schema  # noqa: B018  Spark Connect analyzes here
    except PySparkException as error:  # most often of a column, which no range has
        if isinstance(error, ParseException):
            raise
