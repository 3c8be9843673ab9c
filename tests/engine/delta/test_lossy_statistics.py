"""Delta's statistics cannot hold a text that is no UTF-8; the texts beside it are found all the
same, whichever way the files are chosen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import Checksum, data_skipping

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

FILES = (
    "('é', 1), (CAST(X'80' AS STRING), 2)",
    "('\U0001f600', 3), (CAST(X'FF' AS STRING), 4)",
    "('b', 5), ('c', 6)",
    "('abcé', 7), (CAST(X'61626380' AS STRING), 8)",
)
KEYS = ("é", "\U0001f600", "abcé", "c")


@pytest.fixture(params=["name", "none"])
def table(small: SparkSession, tmp_path: Path, request: pytest.FixtureRequest) -> str:
    name = f"delta.`{tmp_path / 'table'}`"
    small.sql(
        f"CREATE TABLE {name} (k STRING, v INT) USING delta"
        f" TBLPROPERTIES ('delta.columnMapping.mode' = '{request.param}')"
    )
    for rows in FILES:
        small.sql(f"INSERT INTO {name} SELECT /*+ COALESCE(1) */ * FROM VALUES {rows}")
    return name


@pytest.fixture(params=["few files", "a list of files", "the log"])
def chosen_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param != "few files":
        monkeypatch.setattr(data_skipping, "FEW_FILES", 0)
    if request.param == "the log":
        monkeypatch.setattr(Checksum, "files", None)
    way: str = request.param
    return way


@pytest.mark.share(8)
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.usefixtures("chosen_by")
def test_a_row_beside_a_text_that_is_no_utf_8_is_found(
    small: SparkSession, table: str, key: str
) -> None:
    target = engine.DeltaTarget.for_name(small, table)
    merged = engine.merge_into(
        small,
        f"MERGE INTO {table} t USING (SELECT '{key}' AS k, 10 AS v) s ON t.k = s.k"
        " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    )
    assert (merged.metrics.updated, merged.metrics.inserted) == (1, 0)
    assert target.delete(f"k = '{key}'").metrics.deleted == 1
