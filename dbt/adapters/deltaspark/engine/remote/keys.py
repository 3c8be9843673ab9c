"""Idempotency keys in a table's log, which the server looks for as it begins a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import session_confs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pyspark.sql import SparkSession

APPEND_ONLY = "DELTA_CANNOT_MODIFY_APPEND_ONLY"


def has_been_executed(spark: SparkSession, table: str, confs: Mapping[str, str]) -> bool:
    """Whether the idempotency key of the confs is in the table's log.

    A DELETE that is in the log counts nothing, not even 0 rows; this one deletes none.
    """
    with session_confs(spark, confs):
        try:
            return not spark.sql(f"DELETE FROM {table} WHERE false").collect()
        except PySparkException as error:
            if error.getCondition() != APPEND_ONLY:
                raise
        return _is_let_pass(lambda: _overwrite(spark, table))


def _is_let_pass(overwrite: Callable[[], None]) -> bool:
    """Of an append-only table a DELETE is refused in any case, but one to write in the place of its
    rows only after it was looked for.
    """
    try:
        overwrite()
    except PySparkException as error:
        if error.getCondition() != APPEND_ONLY:
            raise
        return False
    return True


def _overwrite(spark: SparkSession, table: str) -> None:
    """With a row that cannot be computed, if the table should take any by now."""
    field = spark.table(table).schema[0]
    value = F.raise_error(F.lit(f"{table} is not append-only any more; nothing was written"))
    row = spark.range(1).select(value.cast(field.dataType).alias(field.name))
    row.writeTo(table).overwrite(F.lit(True))
