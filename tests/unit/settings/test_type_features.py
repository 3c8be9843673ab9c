"""Features of types, at any depth."""

from __future__ import annotations

import pytest
from pyspark.sql.types import (
    ArrayType,
    DataType,
    IntegerType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    VariantType,
)

from dbt.adapters.deltaspark.settings import features_of

NTZ = {"delta.feature.timestampNtz": "supported"}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (IntegerType(), {}),
        (TimestampNTZType(), NTZ),
        (ArrayType(StructType([StructField("at", TimestampNTZType())])), NTZ),
        (MapType(TimestampNTZType(), StringType()), NTZ),
        (MapType(StringType(), VariantType()), {"delta.feature.variantType": "supported"}),
    ],
)
def test_a_type_s_feature_is_found_at_any_depth(kind: DataType, expected: dict[str, str]) -> None:
    assert features_of(StructType([StructField("timestamp_ntz", kind)])) == expected
