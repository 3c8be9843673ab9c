"""A model as its macros describe it, with columns whose types are told by Spark's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
    VariantType,
)

from dbt.adapters.deltaspark.engine.delta import NO_WIDENING
from dbt.adapters.deltaspark.settings.merge_spec import merge_spec
from dbt.adapters.deltaspark.settings.model import ModelConfig, read_incremental
from dbt.adapters.deltaspark.settings.problems import problems_of_later_run
from dbt.adapters.deltaspark.settings.schema_change import SchemaChange

if TYPE_CHECKING:
    from dbt.adapters.deltaspark.engine.spec import MergeSpec

TYPES: dict[str, DataType] = {
    "int": IntegerType(),
    "bigint": LongType(),
    "double": DoubleType(),
    "boolean": BooleanType(),
    "date": DateType(),
    "timestamp": TimestampType(),
    "timestamp_ntz": TimestampNTZType(),
    "string": StringType(),
    "variant": VariantType(),
    "decimal(10,2)": DecimalType(10, 2),
    "decimal(12,2)": DecimalType(12, 2),
    "array<int>": ArrayType(IntegerType()),
    "map<string,int>": MapType(StringType(), IntegerType()),
}


def columns(**types: str | StructType | DataType) -> StructType:
    """Columns in this order."""
    return StructType(
        [
            StructField(name, TYPES[kind] if isinstance(kind, str) else kind)
            for name, kind in types.items()
        ]
    )


ORDERS = columns(id="bigint", amount="int", day="date")


def incremental(**config: Any) -> ModelConfig:
    return read_incremental(spec(config))


def spec(config: dict[str, Any], **facts: Any) -> dict[str, Any]:
    node = {"name": "orders", "path": "models/orders.sql", "schema": "sales", "alias": "orders"}
    return {**node, "config": config, **facts}


def problems(
    config: dict[str, Any], source: StructType = ORDERS, target: StructType = ORDERS
) -> list[str]:
    """What a later run would be told."""
    change = SchemaChange.between(source, target)
    return problems_of_later_run(incremental(**config), source, target, change)


def merged(source: StructType = ORDERS, target: StructType = ORDERS, **config: Any) -> MergeSpec:
    return spec_of(incremental(**{"unique_key": "id", **config}), source, target)


def spec_of(
    model: ModelConfig, source: StructType, target: StructType, *, widening: str = NO_WIDENING
) -> MergeSpec:
    change = SchemaChange.between(source, target)
    return merge_spec(model, source, target, change, widening=widening)
