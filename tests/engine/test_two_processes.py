"""Two processes merge into the same table at the same time: some serial order of all merges."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import other_process
import pytest
from sessions import for_small_tables

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROUNDS = 6
SECONDS = 240
ADD_ONE = """MERGE INTO {target} t USING (SELECT 1 AS id, {n} AS n) s ON t.id = s.id
    WHEN MATCHED THEN UPDATE SET n = t.n + s.n WHEN NOT MATCHED THEN INSERT *"""
INSERT_ONLY = """MERGE INTO {target} t USING (SELECT id, {n} AS n FROM range(10, 14)) s
    ON t.id = s.id WHEN NOT MATCHED THEN INSERT *"""


def statements(target: str, n: int) -> list[str]:
    return [text.format(target=target, n=n) for text in (ADD_ONE, INSERT_ONLY) * ROUNDS]


def wait_for(file: Path, child: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + SECONDS
    while not file.exists():
        assert child.poll() in (None, 0), "the other process failed"
        assert time.monotonic() < deadline, f"no {file.name}"
        time.sleep(0.02)


@pytest.mark.share(4)
def test_upserts_of_one_key_all_count_and_inserts_come_once(
    small: SparkSession, tmp_path: Path
) -> None:
    target = f"delta.`{tmp_path / 't'}`"
    small.sql(f"CREATE TABLE {target} (id BIGINT, n INT) USING delta")
    small.sql(f"INSERT INTO {target} VALUES (1, 0)")
    command = [sys.executable, other_process.__file__, str(tmp_path)]
    with subprocess.Popen([*command, json.dumps(statements(target, 100))]) as child:
        wait_for(tmp_path / "ready", child)
        (tmp_path / "go").touch()
        spark = for_small_tables(small)
        for text in statements(target, 1):
            engine.merge_into(spark, text, conflict_retries=other_process.RETRIES)
        wait_for(tmp_path / "done", child)
    rows = dict(tuple(row) for row in spark.sql(f"SELECT id, n FROM {target}").collect())
    assert rows.pop(1) == 101 * ROUNDS
    assert set(rows) == {10, 11, 12, 13}
    assert spark.table(target).count() == 5
