"""Features of types, at any depth."""

from __future__ import annotations

import pytest
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DateType,
    IntegerType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    VariantType,
)

from dbt.adapters.deltaspark.settings import SchemaChange, features_of, features_of_change

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


def struct(**kinds: DataType) -> StructType:
    return StructType([StructField(name, kind) for name, kind in kinds.items()])


@pytest.mark.parametrize(
    ("source", "target", "retypes", "needed"),
    [
        (struct(a=TimestampNTZType()), struct(a=TimestampNTZType()), True, {}),
        (
            struct(a=IntegerType(), v=VariantType(), n=TimestampNTZType()),
            struct(a=IntegerType()),
            False,
            {"variantType": ["v"], "timestampNtz": ["n"]},
        ),
        (
            struct(s=ArrayType(struct(a=IntegerType(), n=TimestampNTZType()))),
            struct(s=ArrayType(struct(a=IntegerType()))),
            False,
            {"timestampNtz": ["s.element.n"]},
        ),
        (struct(d=TimestampNTZType()), struct(d=DateType()), True, {"timestampNtz": ["d"]}),
        (struct(d=TimestampNTZType()), struct(d=DateType()), False, {}),
    ],
)
def test_a_change_needs_the_features_of_what_comes(
    source: StructType, target: StructType, retypes: bool, needed: dict[str, list[str]]
) -> None:
    change = SchemaChange.between(source, target)
    assert features_of_change(change, retypes=retypes) == needed
