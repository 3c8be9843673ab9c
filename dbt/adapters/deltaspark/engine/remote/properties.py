"""A table's properties and layout, as DESCRIBE DETAIL has them.

SHOW TBLPROPERTIES hides the values of what may be a secret, a check of a `url` for example.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pyspark.sql.types import MapType, StructField, StructType, VariantType

from ...sql_lexemes import BLANK, COMMENT, NAME, TEXT
from ..delta import TIME_ZONE, refuse_repeated_hours, repeats_hours

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pyspark.sql import Row, SparkSession

OF_DELTA = "delta."
CHANGE_FEED, VECTORS = "delta.enableChangeDataFeed", "delta.enableDeletionVectors"
TEXT_OR_COMMENT = re.compile(rf"({TEXT}|{NAME})|{COMMENT}")
TOKEN = re.compile(rf"{BLANK}+|({TEXT}|{NAME}|\w+|.)")


def detail_of(spark: SparkSession, table: str) -> Row:
    return spark.sql(f"DESCRIBE DETAIL {table}").collect()[0]


def refuse_repeated_hours_in(spark: SparkSession, table: str) -> None:
    """Raises RepeatedHourError where a command of the server's may take two partitions for one."""
    if repeats_hours(zone := spark.conf.get(TIME_ZONE) or "UTC"):
        partitions = detail_of(spark, table)["partitionColumns"]
        refuse_repeated_hours(spark.table(table).schema, partitions, zone)


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
    return [found for found in TOKEN.findall(without_raw_texts(condition)) if found]


def without_raw_texts(condition: str) -> str:
    """The same condition as Delta's own parser reads it, which ADD CONSTRAINT goes through.

    It knows no raw texts, no doubled quotes and no comments in comments, and would keep others.
    """
    return TEXT_OR_COMMENT.sub(lambda found: _plain(found[1]) if found[1] else " ", condition)


def _plain(text: str) -> str:
    if text[0] == "`":
        return text
    if text[0] in "rR":
        return text[1] + text[2:-1].replace("\\", "\\\\") + text[-1]
    quote, inner = text[0], text[1:-1]
    inner = re.sub(rf"\\.|{quote}{quote}", partial(_escaped, quote), inner, flags=re.DOTALL)
    return f"{quote}{inner}{quote}"


def _escaped(quote: str, found: re.Match[str]) -> str:
    return f"\\{quote}" if found[0] == 2 * quote else found[0]
