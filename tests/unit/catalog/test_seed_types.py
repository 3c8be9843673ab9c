"""The type of a seed's column of numbers."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dbt.adapters.deltaspark.catalog.seed_types import number_type


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], "bigint"),
        ([None, "1", "-9223372036854775807"], "bigint"),
        (["9223372036854775808"], "decimal(38,0)"),
        (["1" * 39], "string"),
        (["1", "0.5"], "double"),
        (["1.00", "2.00"], "double"),
        (["1E+3"], "bigint"),
        (["1", "NaN"], "double"),
        (["Infinity"], "double"),
    ],
)
def test_numbers_have_the_type(values: list[str | None], expected: str) -> None:
    numbers = [None if value is None else Decimal(value) for value in values]
    assert number_type(numbers) == expected
