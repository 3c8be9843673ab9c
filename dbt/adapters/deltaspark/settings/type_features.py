"""Table features that a column's type needs, and that Delta adds to no table that is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    from .schema_change import SchemaChange

FEATURES: dict[type[AtomicType], str] = {
    TimestampNTZType: "timestampNtz",
    VariantType: "variantType",
}


def features_of(schema: StructType) -> dict[str, str]:
    """As table properties.

    A table that is replaced is there, so Delta asks for an ALTER TABLE first
    (DELTA_FEATURES_REQUIRE_MANUAL_ENABLEMENT); as properties it takes them at once.
    """
    return as_properties(_features_in(schema))


def as_properties(features: Sequence[str]) -> dict[str, str]:
    return {f"delta.feature.{name}": "supported" for name in features}


def features_of_change(change: SchemaChange, *, retypes: bool) -> dict[str, list[str]]:
    """Each feature that columns or fields need which come or change, with their names."""
    retyped = [each for each in change.retyped if retypes or each.had_no_type]
    new = [*change.added_types, *((each.name, each.new) for each in retyped)]
    needed: dict[str, list[str]] = {}
    for name, kind in new:
        for feature in _features_in(kind):
            needed.setdefault(feature, []).append(name)
    return needed


def new_feature_of_type(feature: str, names: Sequence[str], *, allowed: bool) -> str:
    """What is said of a feature that the table has not yet: a warning, or a problem."""
    what = f"the type of {', '.join(names)}"
    return newly_needed(what, feature, "cast to another type", allowed=allowed)


def newly_needed(what: str, feature: str, way_out: str, *, allowed: bool) -> str:
    told = f"{what} needs the table feature {feature}, which every reader of the table must know"
    if allowed:
        return f"{told} from now on"
    return (
        f"{told}, and allow_protocol_upgrade is false; {way_out}, leave that key out, or run the"
        " model with --full-refresh, which a snapshot does not heed"
    )


def _features_in(kind: DataType) -> list[str]:
    used = {*map(type, types_in(kind))}
    return [name for each, name in FEATURES.items() if each in used]


def types_in(kind: DataType) -> Iterator[DataType]:
    """The type and those within it, at any depth."""
    yield kind
    inner: list[DataType] = []
    if isinstance(kind, StructType):
        inner = [field.dataType for field in kind.fields]
    elif isinstance(kind, ArrayType):
        inner = [kind.elementType]
    elif isinstance(kind, MapType):
        inner = [kind.keyType, kind.valueType]
    for each in inner:
        yield from types_in(each)
