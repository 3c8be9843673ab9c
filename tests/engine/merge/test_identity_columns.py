"""Identity columns: which numbers new rows get depends on the tasks, that they are new does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

SOURCE = "(SELECT * FROM VALUES (2, 'x'), (4, 'y'), (5, 'z') AS v(id, v)) s"


@pytest.fixture(params=[True, False], ids=["vectors", "no_vectors"])
def target(request: pytest.FixtureRequest, small: SparkSession, tmp_path: Path) -> str:
    name, vectors = f"delta.`{tmp_path / 'target'}`", str(request.param).lower()
    small.sql(
        f"CREATE TABLE {name} (key BIGINT GENERATED ALWAYS AS IDENTITY, id INT, v STRING)"
        f" USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = '{vectors}')"
    )
    small.sql(f"INSERT INTO {name} (id, v) VALUES (1, 'a'), (2, 'b')")
    return name


@pytest.mark.share(2)
@pytest.mark.parametrize(
    "clauses",
    [
        "WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
        "WHEN MATCHED THEN UPDATE SET v = s.v"
        " WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
    ],
    ids=["insert-only", "upsert"],
)
def test_new_rows_get_new_keys_and_old_rows_keep_theirs(
    small: SparkSession, target: str, clauses: str
) -> None:
    old = keys_by_id(small, target)
    engine.merge_into(small, f"MERGE INTO {target} t USING {SOURCE} ON t.id = s.id {clauses}")
    merged = keys_by_id(small, target)
    assert {merged[1], merged[2]} == {old[1], old[2]}
    assert len({*merged.values()}) == 4
    assert min(merged[4], merged[5]) > max(old.values())
    small.sql(f"INSERT INTO {target} (id, v) VALUES (9, 'later')")
    assert keys_by_id(small, target)[9] > max(merged.values())


def keys_by_id(small: SparkSession, target: str) -> dict[int, int]:
    return {row["id"]: row["key"] for row in small.sql(f"SELECT id, key FROM {target}").collect()}
