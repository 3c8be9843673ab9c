"""The DEFAULTs with which columns of other tables come: a new column does not take them over."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql.types import StructField

from .jvm import DELTA, column_names

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from .jvm import JavaObject
    from .transactions import Transaction

CURRENT_DEFAULT, EXISTS_DEFAULT = "CURRENT_DEFAULT", "EXISTS_DEFAULT"
"""Of rows to come, and of rows that are there, as Spark's columns have them."""


def without_defaults(
    schema: str, *, of_rows_to_come: bool = True, but: Collection[str] = ()
) -> str:
    """The schema, as JSON, without them, but for columns of these names in lower case.

    That of rows that are there would be read in each file that has not the column. That of rows to
    come needs the table's feature, which would raise the protocol.
    """
    whole = json.loads(schema)
    for field in whole["fields"]:
        if field["name"].lower() in but:
            continue
        field["metadata"].pop(EXISTS_DEFAULT, None)
        if of_rows_to_come:
            field["metadata"].pop(CURRENT_DEFAULT, None)
    return json.dumps(whole, ensure_ascii=False)


def has_defaults(txn: Transaction) -> bool:
    """Whether the table has the feature for columns with a DEFAULT."""
    feature = txn.jvm.module(f"{DELTA}.AllowColumnDefaultsTableFeature")
    return bool(txn.java.protocol().isFeatureSupported(feature))


def schema_to_grow_by(txn: Transaction, schema: JavaObject) -> JavaObject:
    """The schema with which the table's is merged, without defaults of columns that are new.

    Rows that are there have null in a new column. Delta's own MERGE and writes take them over.
    """
    text: str = schema.json()
    if CURRENT_DEFAULT not in text and EXISTS_DEFAULT not in text:
        return schema
    own = {name.lower() for name in column_names(txn.metadata.schema())}
    told = without_defaults(text, of_rows_to_come=not has_defaults(txn), but=own)
    return txn.jvm.type("org.apache.spark.sql.types.DataType").fromJson(told)


def with_nulls_in_new_columns(txn: Transaction, rows: DataFrame) -> DataFrame:
    """Rows that are there, to be written again by a change that adds columns to their table.

    Delta's writer gives rows without a column its DEFAULT: these would have another value than
    those whose files stay.
    """
    if not has_defaults(txn):
        return rows
    known = {name.lower() for name in (*column_names(txn.snapshot.schema()), *rows.columns)}
    fields = json.loads(txn.metadata.schema().json())["fields"]
    new = [StructField.fromJson(each) for each in fields if each["name"].lower() not in known]
    return rows.withColumns({each.name: F.lit(None).cast(each.dataType) for each in new})
