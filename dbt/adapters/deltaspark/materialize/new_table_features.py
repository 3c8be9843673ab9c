"""Table features that a column's type needs, and that Delta adds to new tables alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql.types import (
    ArrayType,
    DataType,
    MapType,
    StructType,
    TimestampNTZType,
    VariantType,
)

if TYPE_CHECKING:
    from pyspark.sql.types import AtomicType

FEATURES: dict[type[AtomicType], str] = {
    TimestampNTZType: "timestampNtz",
    VariantType: "variantType",
}


def features_of(schema: StructType) -> dict[str, str]:
    """As table properties.

    A table that is replaced is there, so Delta asks for an ALTER TABLE first
    (DELTA_FEATURES_REQUIRE_MANUAL_ENABLEMENT); as properties it takes them at once.
    """
    used = {*map(type, _types_in(schema))}
    return {f"delta.feature.{name}": "supported" for kind, name in FEATURES.items() if kind in used}


def _types_in(kind: DataType) -> Iterator[DataType]:
    yield kind
    inner: list[DataType] = []
    if isinstance(kind, StructType):
        inner = [field.dataType for field in kind.fields]
    elif isinstance(kind, ArrayType):
        inner = [kind.elementType]
    elif isinstance(kind, MapType):
        inner = [kind.keyType, kind.valueType]
    for each in inner:
        yield from _types_in(each)
