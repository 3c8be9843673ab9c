"""A merge that reads a CHAR column of its target, which Delta's MERGE of the server cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from server_tables import sql

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame

ROWS = "SELECT 'ab  ' AS k, 10 AS n"


@pytest.fixture
def padded(target: engine.DeltaTarget) -> engine.DeltaTarget:
    """Of rows that Delta stores without the blanks which Spark reads them with."""
    sql(target.spark, f"CREATE TABLE {target.name} (k CHAR(4), n INT) USING delta")
    sql(target.spark, f"INSERT INTO {target.name} VALUES ('ab', 1)")
    return target


def by_text(target: engine.DeltaTarget, rows: DataFrame) -> None:
    engine.merge_into(
        target.spark,
        f"MERGE INTO {target.name} t USING ({ROWS}) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT *",
    )


def by_frame(target: engine.DeltaTarget, rows: DataFrame) -> None:
    merge = target.merge(rows, "t.k = s.k", source_alias="s", target_alias="t")
    merge.when_matched_update_all().when_not_matched_insert_all().execute()


def by_write(target: engine.DeltaTarget, rows: DataFrame) -> None:
    engine.write(rows, target, "overwrite", replace_using=["k"])


@pytest.mark.parametrize("change", [by_text, by_frame, by_write])
def test_it_is_refused_with_a_way_out(
    padded: engine.DeltaTarget, change: Callable[[engine.DeltaTarget, DataFrame], None]
) -> None:
    with pytest.raises(engine.EngineError, match=r"CHAR column of its target.*STRING or VARCHAR"):
        change(padded, padded.spark.sql(ROWS))
    assert [tuple(row) for row in sql(padded.spark, f"TABLE {padded.name}")] == [("ab  ", 1)]
