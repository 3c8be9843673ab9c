"""Which types a merge widens; what Delta does is in the golden cases of type_widening.py."""

from __future__ import annotations

import pytest
from pyspark.sql.types import (
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    NullType,
    StringType,
    TimestampNTZType,
    TimestampType,
)

from dbt.adapters.deltaspark.engine.delta import widens


@pytest.mark.parametrize(
    ("old", "new", "widest"),
    [
        (ByteType(), LongType(), "SAME_FAMILY_TYPE"),
        (LongType(), IntegerType(), None),
        (FloatType(), DoubleType(), "SAME_FAMILY_TYPE"),
        (DateType(), TimestampNTZType(), "SAME_FAMILY_TYPE"),
        (DateType(), TimestampType(), None),
        (DecimalType(9, 2), DecimalType(10, 3), "SAME_FAMILY_TYPE"),
        (DecimalType(9, 2), DecimalType(9, 3), None),
        (DecimalType(18, 2), DecimalType(20, 1), None),
        (IntegerType(), DoubleType(), "ALWAYS"),
        (LongType(), DoubleType(), None),
        (ByteType(), DecimalType(10, 0), "ALWAYS"),
        (ByteType(), DecimalType(10, 1), None),
        (LongType(), DecimalType(20, 0), "ALWAYS"),
        (LongType(), DecimalType(19, 0), None),
        (IntegerType(), StringType(), None),
        (NullType(), StringType(), "NEVER"),
        (NullType(), NullType(), None),
        (StringType(), NullType(), None),
    ],
    ids=str,
)
def test_a_type_widens_as_far_as_the_session_allows(
    old: DataType, new: DataType, widest: str | None
) -> None:
    modes = ["NEVER", "SAME_FAMILY_TYPE", "ALWAYS"]
    allowed = modes[modes.index(widest) :] if widest else []
    assert [mode for mode in modes if widens(old, new, mode)] == allowed
