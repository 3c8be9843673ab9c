"""Values of a snapshot's table and of its query that have different types."""

from __future__ import annotations

import pytest
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DateType,
    DecimalType,
    IntegerType,
    MapType,
    NullType,
    StringType,
    StructType,
    TimestampType,
)

from dbt.adapters.deltaspark.settings.schema_change import SchemaChange
from dbt.adapters.deltaspark.settings.stored_values import (
    in_one_type,
    same,
    warnings_of_narrower_types,
)

INT, TEXT = IntegerType(), StringType()
A, A_B = StructType().add("a", INT), StructType().add("a", INT).add("b", INT)
C_A = StructType().add("c.d", INT).add("A", INT)
FIELDS = "(old is null) = (new is null) and old.`a` <=> new.`A` and old.`b` is null"


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        (A_B, A_B, "old <=> new"),
        (
            INT,
            TEXT,
            "(old <=> try_cast(new as int) and (new is null) = (try_cast(new as int) is null))",
        ),
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


@pytest.mark.parametrize(
    ("theirs", "ours", "grows", "told"),
    [
        (DecimalType(4, 1), DecimalType(5, 2), False, ["x is of the type decimal(5,2) in the"]),
        (DecimalType(4, 1), DecimalType(5, 2), True, []),
        (DecimalType(5, 2), DecimalType(4, 1), False, []),
        (INT, TEXT, True, ["x is of the type string in the query and int in the table"]),
        (TEXT, INT, False, []),
        (TimestampType(), DateType(), False, []),
        (DateType(), TimestampType(), False, ["x is of the type timestamp in the query and date"]),
        (INT, NullType(), False, []),
    ],
)
def test_a_type_that_loses_values_is_told(
    theirs: DataType, ours: DataType, grows: bool, told: list[str]
) -> None:
    query, table = (StructType().add("x", kind).add("own", kind) for kind in (ours, theirs))
    change = SchemaChange.between(query, table)
    texts = [*warnings_of_narrower_types(change, ["own"], grows=grows)]
    assert [text[: len(start)] for text, start in zip(texts, told, strict=True)] == told
