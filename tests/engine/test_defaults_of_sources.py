"""A column that a table takes from a source with a DEFAULT for it has none in the table.

Rows from before would read it, until a rewrite of their file made it theirs; rows to come would be
written with it, in a table that has not the feature for it. Delta's own commands leave it there.
Nor have rows from before that the same change writes again: Delta gives them the DEFAULT.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession

FEATURE = "'delta.feature.allowColumnDefaults' = 'supported'"
MERGE = "MERGE WITH SCHEMA EVOLUTION INTO {t} t USING ({s}) s ON t.id = s.id WHEN"
CLAUSES = {
    "insert": " NOT MATCHED THEN INSERT *",
    "upsert": " MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
}


@pytest.fixture(params=["parquet", "delta"])
def source(small: SparkSession, request: pytest.FixtureRequest) -> Iterator[str]:
    """A query of one row, with nothing in the column of which its table has a DEFAULT."""
    properties = f"TBLPROPERTIES ({FEATURE})" if request.param == "delta" else ""
    small.sql(
        f"CREATE TABLE with_a_default (id INT, d INT DEFAULT 7) USING {request.param} {properties}"
    )
    yield "SELECT 2 AS id, d FROM with_a_default RIGHT JOIN range(1) ON false"
    small.sql("DROP TABLE with_a_default")


@pytest.mark.share(4)
@pytest.mark.parametrize("feature", [False, True])
@pytest.mark.parametrize("way", ["write", *CLAUSES])
def test_rows_from_before_and_rows_to_come_are_null(
    small: SparkSession, tmp_path: Path, source: str, way: str, feature: bool
) -> None:
    name = f"delta.`{tmp_path}`"
    with_it = f"TBLPROPERTIES ({FEATURE})" if feature else ""
    small.sql(f"CREATE TABLE {name} (id INT) USING delta {with_it}")
    small.sql(f"INSERT INTO {name} VALUES (1)")
    target = engine.DeltaTarget.for_name(small, name)
    if way == "write":
        engine.write(small.sql(source), target, merge_schema=True)
    else:
        engine.merge_into(small, MERGE.format(t=name, s=source) + CLAUSES[way])
    found = small.sql(f"SELECT * FROM {name} ORDER BY id").collect()
    assert found == [(1, None), (2, None)]
    kept = small.read.format("delta").load(str(tmp_path)).schema["d"].metadata
    assert kept == ({"CURRENT_DEFAULT": "7"} if feature else {})


@pytest.mark.share(4)
@pytest.mark.parametrize("feed", [False, True])
@pytest.mark.parametrize("instead", [{"replace_where": "id = 2"}, {"replace_using": ["id"]}])
@pytest.mark.parametrize("vectors", [False, True])
def test_rows_that_are_written_again_are_null_as_those_that_stay(
    small: SparkSession,
    tmp_path: Path,
    source: str,
    vectors: bool,
    instead: dict[str, Any],
    feed: bool,
) -> None:
    name = f"delta.`{tmp_path}`"
    small.sql(
        f"CREATE TABLE {name} (id INT) USING delta TBLPROPERTIES ({FEATURE},"
        f" 'delta.enableDeletionVectors' = '{vectors}', 'delta.enableChangeDataFeed' = '{feed}')"
    )
    small.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES (1), (2)")
    small.sql(f"INSERT INTO {name} VALUES (3)")
    target = engine.DeltaTarget.for_name(small, name)
    engine.write(small.sql(source), target, "overwrite", merge_schema=True, **instead)
    found = small.sql(f"SELECT * FROM {name} ORDER BY id").collect()
    assert found == [(1, None), (2, None), (3, None)]
