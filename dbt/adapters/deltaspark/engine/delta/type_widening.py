"""Which types a merge that evolves a table's schema widens (Delta's TypeEvolution)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import (
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NullType,
    ShortType,
    TimestampNTZType,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ENABLED = "delta.enableTypeWidening"
AUTOMATIC_WIDENING = "spark.databricks.delta.typeWidening.allowAutomaticWidening"
NO_WIDENING, SAME_FAMILY, ALWAYS = "NEVER", "SAME_FAMILY_TYPE", "ALWAYS"
"""How far types may widen."""

WHOLE_NUMBERS = (ByteType, ShortType, IntegerType, LongType)


def widening_of(spark: SparkSession, table: str) -> str:
    """How far a merge may widen the types of the table of this name."""
    properties = spark.sql(f"SHOW TBLPROPERTIES {table}").collect()
    enabled = any(name == ENABLED and value.lower() == "true" for name, value in properties)
    return str(spark.conf.get(AUTOMATIC_WIDENING, ALWAYS)).upper() if enabled else NO_WIDENING


def widens(old: DataType, new: DataType, widening: str) -> bool:
    """Whether a column of the old type gets the new one, which one without a type always does.

    Of types that have no parts.
    """
    if isinstance(old, NullType):
        return not isinstance(new, NullType)
    if widening == NO_WIDENING:
        return False
    match old, new:
        case DecimalType(), DecimalType():
            return _holds(new, old.precision - old.scale) and new.scale >= old.scale
        case (FloatType(), DoubleType()) | (DateType(), TimestampNTZType()):
            return True
        case (ByteType() | ShortType() | IntegerType(), DoubleType()):
            return widening == ALWAYS
        case (ByteType() | ShortType() | IntegerType(), DecimalType()):
            return widening == ALWAYS and _holds(new, 10)
        case LongType(), DecimalType():
            return widening == ALWAYS and _holds(new, 20)
        case _:
            kinds = (type(old), type(new))
            known = all(kind in WHOLE_NUMBERS for kind in kinds)
            return known and WHOLE_NUMBERS.index(kinds[0]) < WHOLE_NUMBERS.index(kinds[1])


def _holds(kind: DecimalType, digits: int) -> bool:
    return kind.precision - kind.scale >= digits
