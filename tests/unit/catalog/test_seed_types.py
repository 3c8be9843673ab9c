"""The type of a seed's column, by its cells."""

from __future__ import annotations

from decimal import Decimal

import pytest

from dbt.adapters.deltaspark.catalog.seed_types import number_type, type_of_cells


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


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([], "bigint"),
        ([None], "bigint"),
        (["0", "-5", " 12 ", None, "-9223372036854775807"], "bigint"),
        (["9223372036854775808"], "decimal(38,0)"),
        (["-" + "9" * 38], "decimal(38,0)"),
        (["1" * 39], "string"),
        (["1" * 5000], "string"),
        (["1.00", "2.00"], "double"),
        (["1", "0.5", "-.5", "5.", "1e3", "2.5E-3", "-0"], "double"),
        (["1", "0.30000000000000004", "0.1000000000000000055511", "1234567890123.4500"], "double"),
        (["2024-02-29", None], "date"),
        (["2024-02-29 12:00:00"], "timestamp"),
        (["2024-02-29T12:00", "2024-02-29T12:00:00.123456Z", "2024-02-29T12:00:00+02:00"],)
        + ("timestamp",),
        (["true", "FALSE", None], "boolean"),
    ],
)
def test_a_column_has_the_type_that_keeps_its_cells(cells: list[str | None], expected: str) -> None:
    assert type_of_cells(cells) == expected


TEXTS = (
    *("1,5", "1,234.50", "15%", "€5", "$5", "_1", "1_000", "--5", "+5", "-0", "007", "00", "-05"),
    *("Nan", "NaN", "inf", "Infinity", "sNaN", "٣", "１２", "5d", "1e400", "1e-400", "0x1F", "1 0"),
    *("20T10", "2024T12", "2024-W05T10", "20240229T120000", "2024-02-29T12", "2024-02-29T24:00"),
    *("2024-2-9", "2024-02-30", "29.02.2024", "٢٠٢٤-٠٢-٢٩", "12:00:00", "0000-01-01"),
    *("2024-02-29 12:00", "2024-02-29 12:00:00.5", "2024-02-29T12:00:00,5"),
    *("2024-02-29T12:00:00.1234567", "2024-02-29T12:00:60", "2024-02-29T12:00+0200"),
    *("2024-02-29T12:00Z", "2024-02-29T12:00+02:00", "12345678901234567.89"),
    *("0.1234567890123456789", "-0.12345678901234567891e-5"),
    *("t", "yes", "t,rue", "\u00a05"),
)


@pytest.mark.parametrize("text", TEXTS)
def test_what_a_cast_would_not_keep_is_a_text(text: str) -> None:
    assert type_of_cells([text]) == "string"


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "007"],
        ["0.5", "007.5"],
        ["12345678901234567891", "0.5"],
        ["2024-02-29", "2024-02-29 12:00:00"],
        ["2024-02-29T12:00:00", "2024-02-29 12:00:00"],
        ["1", "true"],
        ["1", "2024-02-29"],
    ],
)
def test_one_cell_that_is_otherwise_makes_a_column_of_texts(cells: list[str]) -> None:
    assert type_of_cells(cells) == "string"
