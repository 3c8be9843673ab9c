"""Values of a snapshot's table and of its query that have different types."""

from __future__ import annotations

import pytest
from pyspark.sql.types import ArrayType, DataType, IntegerType, MapType, StringType, StructType

from dbt.adapters.deltaspark.settings.stored_values import in_one_type, same

INT, TEXT = IntegerType(), StringType()
A, A_B = StructType().add("a", INT), StructType().add("a", INT).add("b", INT)
C_A = StructType().add("c.d", INT).add("A", INT)
FIELDS = "(old is null) = (new is null) and old.`a` <=> new.`A` and old.`b` is null"


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        (A_B, A_B, "old <=> new"),
        (A_B, C_A, f"({FIELDS} and new.`c.d` is null)"),
        (
            ArrayType(A_B),
            ArrayType(A),
            "(size(old) <=> size(new) and coalesce(forall(zip_with(old, new, (old_0, new_0) ->"
            " ((old_0 is null) = (new_0 is null) and old_0.`a` <=> new_0.`a` and old_0.`b` is"
            " null)), pair -> pair), true))",
        ),
    ],
)
def test_values_are_the_same_when(theirs: DataType, ours: DataType, expected: str) -> None:
    assert same("old", theirs, "new", ours) == expected


@pytest.mark.parametrize(
    ("theirs", "ours", "old", "new"),
    [
        (INT, TEXT, "old", "new"),
        (
            A_B,
            C_A,
            "if(old is null, null, named_struct('a', old.`a`, 'b', old.`b`, 'c.d', null))",
            "if(new is null, null, named_struct('a', new.`A`, 'b', null, 'c.d', new.`c.d`))",
        ),
        (
            ArrayType(A_B),
            ArrayType(A),
            "old",
            "transform(new, each_0 -> if(each_0 is null, null,"
            " named_struct('a', each_0.`a`, 'b', null)))",
        ),
        (
            MapType(TEXT, A),
            MapType(TEXT, A_B),
            "transform_values(old, (key_0, each_0) -> if(each_0 is null, null,"
            " named_struct('a', each_0.`a`, 'b', null)))",
            "new",
        ),
    ],
)
def test_both_get_the_fields_of_either(
    theirs: DataType, ours: DataType, old: str, new: str
) -> None:
    assert in_one_type("old", theirs, "new", ours) == (old, new)
