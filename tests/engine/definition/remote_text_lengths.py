"""The lengths of texts of a table that a Spark Connect server alters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from altering import alter, fail, insert, notes
from pyspark.errors import PySparkException

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAME = "default.remote_text_lengths"


def test_a_length_grows_and_comes_back_where_the_block_fails(small: SparkSession) -> None:
    small.sql(f"CREATE OR REPLACE TABLE {NAME} (id INT, v VARCHAR(3)) USING delta").collect()
    target = engine.DeltaTarget.for_name(small, NAME)
    assert notes(fail(target, lengths=(("v", "varchar(4)"),))) == []
    with pytest.raises(PySparkException, match="DELTA_EXCEED_CHAR_VARCHAR_LIMIT"):
        insert(target, "(1, 'abcd')")
    assert alter(target, lengths=(("v", "varchar(4)"),)).changes == (
        "type v: varchar(3) -> varchar(4)",
    )
    insert(target, "(1, 'abcd')")
    with pytest.raises(
        engine.EngineError, match=r"cannot have type v: varchar\(4\) -> varchar\(2\)"
    ):
        alter(target, lengths=(("v", "varchar(2)"),))
    small.sql(f"DROP TABLE {NAME}").collect()
