"""Names that need column mapping, at any depth."""

from __future__ import annotations

import pytest
from pyspark.sql.types import ArrayType, DataType, IntegerType, MapType, StructField, StructType

from dbt.adapters.deltaspark.settings import SchemaChange, names_in, odd_names_of_change


def struct(name: str, kind: DataType) -> StructType:
    return StructType([StructField(name, kind)])


PLAIN = struct("id", IntegerType())
ODD = struct("a b", IntegerType())


@pytest.mark.parametrize("kind", [ODD, ArrayType(ODD), MapType(ODD, PLAIN), MapType(PLAIN, ODD)])
def test_names_are_found_at_any_depth(kind: DataType) -> None:
    assert "a b" in names_in(struct("s", kind))


@pytest.mark.parametrize(
    ("source", "target", "odd"),
    [
        (PLAIN, PLAIN, []),
        (StructType([*PLAIN, *ODD]), PLAIN, ["a b"]),
        (
            struct("s", ArrayType(StructType([*PLAIN, *ODD]))),
            struct("s", ArrayType(PLAIN)),
            ["s.element.a b"],
        ),
        (StructType([*PLAIN, *struct("s", ODD)]), PLAIN, ["a b"]),
        (ODD, ODD, []),
    ],
)
def test_a_change_has_the_odd_names_of_what_is_added(
    source: StructType, target: StructType, odd: list[str]
) -> None:
    assert odd_names_of_change(SchemaChange.between(source, target)) == odd
