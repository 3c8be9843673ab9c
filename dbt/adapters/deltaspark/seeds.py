"""A seed's agate table as a DataFrame of declared types."""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pyspark.sql.functions import col, explode, from_json, lit, split

if TYPE_CHECKING:
    import agate
    from pyspark.sql import DataFrame, SparkSession

LONGEST_BIGINT = 2**63 - 1
LONGEST_DECIMAL = 10**38 - 1


def seed_frame(
    spark: SparkSession, table: agate.Table, types: Mapping[str, str], convert: Callable[[int], str]
) -> DataFrame:
    """The rows, cast by Spark from exact text; `convert` names the type of a column by its index.

    Text keeps every digit, and Spark's cast refuses what does not fit, naming the value. The rows
    go over as one literal of JSON lines: `createDataFrame` would start Python workers for them.
    """
    names = [str(name) for name in table.column_names]
    declared = {name.casefold(): kind for name, kind in types.items()}
    columns = [[_text(value) for value in column.values()] for column in table.columns]
    lines = "\n".join(json.dumps(row) for row in zip(*columns, strict=True))
    values = (
        spark.range(0, 1, 1, numPartitions=1)
        .select(explode(split(lit(lines), "\n")).alias("line"))
        .where("line <> ''")
        .select(from_json("line", "array<string>").alias("row"))
    )
    return values.select(
        *(
            col("row")[index].cast(declared.get(name.casefold()) or convert(index)).alias(name)
            for index, name in enumerate(names)
        )
    )


def number_type(values: Any) -> str:
    """bigint for whole numbers, a decimal for those that are longer, double for the rest."""
    numbers = [value for value in values if value is not None]
    if any(value != value.to_integral_value() for value in numbers):
        return "double"
    longest = max((abs(value) for value in numbers), default=0)
    return "bigint" if longest <= LONGEST_BIGINT else "decimal(38,0)"


def _text(value: Any) -> str | None:
    match value:
        case None | str():
            return value
        case bool():
            return str(value).lower()
        case Decimal():
            return format(value, "f")
        case datetime.date() | datetime.datetime():
            return value.isoformat()
        case _:
            return str(value)
