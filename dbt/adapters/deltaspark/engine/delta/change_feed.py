"""Change rows: what readers of the change data feed get of a merge, written beside its rows.

A commit that holds change files is read from them alone, so every changed row needs its change
rows there. A commit that only adds files needs none: readers take its rows as inserts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

if TYPE_CHECKING:
    from ..internal_columns import Names

CHANGE_TYPE = "_change_type"
"""The column by which Delta's writer tells change rows from the table's rows, which have null."""


def no_change() -> Column:
    """The change type of a row that is the table's."""
    return F.lit(None).cast("string").alias(CHANGE_TYPE)


def inserted() -> Column:
    """The change types of a new row: its change row, and the table's row."""
    return F.array(F.lit("insert"), _written())


def updated() -> Column:
    """The change types of an updated row: both its images, and the table's row."""
    return F.array(F.lit("update_preimage"), F.lit("update_postimage"), _written())


def copied() -> Column:
    """The change types of a row that stays as it is: the table's row alone."""
    return F.array(_written())


def _written() -> Column:
    return F.lit(None).cast("string")


def with_images(
    frame: DataFrame, before: list[Column], after: list[Column], changes: Column, names: Names
) -> DataFrame:
    """Each row that is written, and its change rows, by the change types in `changes`.

    `before` and `after` are the row's columns, alike in names and types. Every column is computed
    once, before the row is multiplied.
    """
    rows = frame.select(
        F.struct(*before).alias(names.before),
        F.struct(*after).alias(names.after),
        changes.alias(names.change),
    ).select(names.before, names.after, F.explode(names.change).alias(CHANGE_TYPE))
    is_before = F.col(CHANGE_TYPE).eqNullSafe("update_preimage")
    written_type = rows.schema[names.after].dataType
    assert isinstance(written_type, StructType)
    columns = [
        F.when(is_before, F.col(names.before).getField(field.name))
        .otherwise(F.col(names.after).getField(field.name))
        .alias(field.name, metadata=field.metadata)
        for field in written_type.fields
    ]
    return rows.select(*columns, CHANGE_TYPE)
