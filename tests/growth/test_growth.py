"""What a process holds does not grow with its merges, nor what it sends with their rows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from growth import merges
from measures import SNAPSHOTS, held, measured_traffic

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


@pytest.mark.share(2)
def test_merges_leave_no_view_and_no_kept_rows_behind(small: SparkSession, tmp_path: Path) -> None:
    before, after = merges(small, tmp_path, 10, first=4, figures=partial(held, settled=2))
    assert after.temp_views <= before.temp_views
    assert after.persisted <= before.persisted + SNAPSHOTS


def test_no_row_of_a_merge_goes_through_python(small: SparkSession, tmp_path: Path) -> None:
    table = f"delta.`{tmp_path / 'rows'}`"
    small.sql(f"CREATE TABLE {table} (id BIGINT, n BIGINT) USING delta")
    text = f"""MERGE INTO {table} t USING (SELECT id, id AS n FROM range({{rows}})) s ON t.id = s.id
        WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"""
    sent = []
    for rows in (1_000, 1_000, 100_000):
        with measured_traffic() as traffic:
            engine.merge_into(small, text.format(rows=rows))
        sent.append(traffic)
    _, few, many = sent
    assert many.bytes < few.bytes + 20_000
    assert many.rows <= few.rows + 10
