"""A table's properties and layout, as DESCRIBE DETAIL has them.

SHOW TBLPROPERTIES hides the values of what may be a secret, a check of a `url` for example.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyspark.sql.types import MapType, StructField, StructType, VariantType

from ...sql_lexemes import BLANK, NAME, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import Row, SparkSession

OF_DELTA = "delta."
CHANGE_FEED, VECTORS = "delta.enableChangeDataFeed", "delta.enableDeletionVectors"
TOKEN = re.compile(rf"{BLANK}+|({TEXT}|{NAME}|\w+|.)")


def detail_of(spark: SparkSession, table: str) -> Row:
    return spark.sql(f"DESCRIBE DETAIL {table}").collect()[0]


def spelled(key: str, known: Iterable[str]) -> str:
    """The key as the table spells it: Delta's own are the same in any case."""
    if not key.lower().startswith(OF_DELTA):
        return key
    return next((each for each in known if each.lower() == key.lower()), key)


def is_on(spark: SparkSession, table: str, key: str) -> bool:
    """As Delta reads the property: true in any case."""
    properties = detail_of(spark, table)["properties"]
    return str(properties.get(spelled(key, properties))).lower() == "true"


def incomparable(columns: StructType) -> StructField | None:
    """A column by whose value no row is found."""
    kinds = (MapType, VariantType)
    return next((field for field in columns if isinstance(field.dataType, kinds)), None)


def tokens(condition: str) -> list[str]:
    """Words, texts and signs of the condition, without the spaces and comments between them."""
    return [found for found in TOKEN.findall(condition) if found]
