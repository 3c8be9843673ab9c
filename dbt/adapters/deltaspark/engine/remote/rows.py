"""Rows that are written to a table that is there, by the server's own commands: one commit each.

By the names of columns and of fields in structs; INSERT takes fields by their places.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql import functions as F

from ..delta import conditions
from ..errors import ReplaceWhereViolationError, row_text
from .commits import plain
from .properties import detail_of, is_on

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, DataFrameWriterV2

    from ..spec import WriteSpec

APPEND_ONLY = "delta.appendOnly"
PARTITION_MODE = "partitionOverwriteMode"
REPLACE_WHERE = "replaceWhere"
VIOLATED = "DELTA_REPLACE_WHERE_MISMATCH"
SHOWN = 5
"""Rows in an error."""


def write_rows(source: DataFrame, table: str, spec: WriteSpec) -> None:
    """Raises ReplaceWhereViolationError, and what Delta's writer raises."""
    if spec.mode == "append":
        _writer(source, table, spec).append()
    elif spec.dynamic_partitions and detail_of(source.sparkSession, table)["partitionColumns"]:
        _writer(source, table, spec).option(PARTITION_MODE, "dynamic").overwritePartitions()
    elif spec.replace_where is None:
        _overwrite_whole(source, table, spec)
    else:
        _replace_where(source, table, spec, spec.replace_where)


def _overwrite_whole(source: DataFrame, table: str, spec: WriteSpec) -> None:
    """Every row gives way. An overwrite without a predicate would take the clustering away."""
    _writer(source, table, spec).option(REPLACE_WHERE, "true").overwrite(F.lit(True))


def fill(source: DataFrame, table: str, spec: WriteSpec) -> None:
    """The first rows of a table: alone, but where it takes no row away."""
    if is_on(source.sparkSession, table, APPEND_ONLY):
        _writer(source, table, spec).append()
    else:
        _overwrite_whole(source, table, spec)


def _writer(source: DataFrame, table: str, spec: WriteSpec) -> DataFrameWriterV2:
    return source.writeTo(table).options(**dict(spec.options)).options(**spec.growth)


def _replace_where(source: DataFrame, table: str, spec: WriteSpec, predicate: str) -> None:
    """Not by `overwrite(predicate)`, which takes few expressions."""
    try:
        _writer(source, table, spec).option(REPLACE_WHERE, predicate).overwrite(F.lit(True))
    except PySparkException as error:
        if VIOLATED not in conditions(error):
            raise
        outside = _as_written(source, table).where(
            ~F.coalesce(F.expr(f"({predicate}\n)"), F.lit(False))
        )
        texts = [row_text(row.asDict(), predicate) for row in outside.limit(SHOWN).collect()]
        raise ReplaceWhereViolationError(plain(table), predicate, texts) from error


def _as_written(source: DataFrame, table: str) -> DataFrame:
    """The rows with null in the table's columns that they lack."""
    given = {name.lower() for name in source.columns}
    lacking = (f for f in source.sparkSession.table(table).schema if f.name.lower() not in given)
    nulls = (F.lit(None).cast(field.dataType).alias(field.name) for field in lacking)
    return source.select("*", *nulls)
