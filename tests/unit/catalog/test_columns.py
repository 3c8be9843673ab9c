"""What packages ask of a column: its kind, by Spark's names of types."""

from __future__ import annotations

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.deltaspark.catalog import DeltaSparkColumn

KINDS = ("is_string", "is_integer", "is_float", "is_numeric")


def column(dtype: str) -> DeltaSparkColumn:
    return DeltaSparkColumn("x", dtype)


@pytest.mark.parametrize(
    ("dtypes", "kind"),
    [
        ("tinyint smallint int integer bigint byte short long INT", "is_integer"),
        ("float real double", "is_float"),
        ("decimal decimal(10,0) decimal(38,18) numeric(4,2) DECIMAL(10,2)", "is_numeric"),
        ("string varchar(10) char(3) String", "is_string"),
        ("date timestamp timestamp_ntz boolean binary variant", None),
        ("array<int> struct<a:int> map<string,int>", None),
    ],
)
def test_a_type_is_of_one_kind(dtypes: str, kind: str | None) -> None:
    for dtype in dtypes.split():
        found = [name for name in KINDS if getattr(column(dtype), name)()]
        assert found == ([kind] if kind else []), dtype
        assert column(dtype).is_number() == (kind in KINDS[1:]), dtype


def test_a_string_of_other_rules_of_order_is_a_string() -> None:
    assert column("string collate UTF8_LCASE").is_string()


def test_the_size_of_a_string() -> None:
    assert column("varchar(10)").string_size() == 10
    assert column("char(3)").string_size() == 3
    assert column("string").string_size() == 256
    with pytest.raises(DbtRuntimeError, match="non-string"):
        column("decimal(10,2)").string_size()


@pytest.mark.parametrize(
    ("dtype", "other", "can"),
    [
        ("varchar(10)", "varchar(20)", True),
        ("varchar(10)", "string", True),
        ("varchar(20)", "varchar(10)", False),
        ("string", "varchar(10)", False),
        ("string", "string", False),
        ("decimal(4,2)", "varchar(10)", False),
        ("varchar(10)", "int", False),
    ],
)
def test_a_column_expands_to_longer_strings(dtype: str, other: str, can: bool) -> None:
    assert column(dtype).can_expand_to(column(other)) is can
