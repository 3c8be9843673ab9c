"""Rows that are a command's answer: the command has run when they are written, and runs once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from commits import latest_version

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

    Change = Callable[[DataFrame, engine.DeltaTarget], engine.MergeResult]


ANSWER = "num_affected_rows"


def merged(rows: DataFrame, target: engine.DeltaTarget) -> engine.MergeResult:
    merge = target.merge(rows, f"t.{ANSWER} = s.{ANSWER}", source_alias="s", target_alias="t")
    return merge.when_matched_update_all().when_not_matched_insert_all().execute()


CHANGES: dict[str, Change] = {
    "append": engine.write,
    "overwrite": lambda rows, target: engine.write(rows, target, "overwrite"),
    "replaced": lambda rows, target: engine.write(
        rows, target, "overwrite", replace_where=f"{ANSWER} >= 0"
    ),
    "by key": lambda rows, target: engine.write(rows, target, "overwrite", replace_using=[ANSWER]),
    "merge": merged,
}


@pytest.mark.parametrize(
    ("change", "is_new"),
    [*((change, False) for change in CHANGES), ("append", True), ("overwrite", True)],
)
def test_the_command_is_not_run_again(
    small: SparkSession, tmp_path: Path, change: str, is_new: bool
) -> None:
    counted, log = tmp_path / "counted", tmp_path / "log"
    small.sql(f"CREATE TABLE delta.`{counted}` USING delta AS SELECT id FROM range(5)")
    if not is_new:
        small.sql(f"CREATE TABLE delta.`{log}` ({ANSWER} BIGINT) USING delta")
    rows = small.sql(f"UPDATE delta.`{counted}` SET id = id + 1")
    CHANGES[change](rows, engine.DeltaTarget.for_path(small, str(log)))
    assert latest_version(counted) == 1
    assert small.read.format("delta").load(str(log)).collect() == [(5,)]
