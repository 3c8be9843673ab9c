"""Where a table is, as the catalog says it, and where a model puts it."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.catalog import lies_in


@pytest.mark.parametrize(
    ("found", "location"),
    [
        ("file:/data/s/t", "/data/s/t"),
        ("file:/data/s/t", "file:///data/s/t"),
        ("file:/data/s/t", "/data//s/t"),
        ("file:/data/a b/t", "/data/a b/t"),
        ("file:/data/a%20b/t", "/data/a%20b/t"),
        ("file:/data/a#b/s/t", "/data/a#b/s/t"),
        ("file:/data/a?b/s/t", "file:///data/a?b/s/t"),
        ("file:/data/2026-01:05 [ü]+/t", "/data/2026-01:05 [ü]+/t"),
        ("file:/a#b/warehouse/lake#1/t", "lake#1/t"),
        ("s3a://lake/a#b%/t", "s3://lake/a#b%/t"),
        ("hdfs://nn:8020/data/s/t", "/data/s/t"),
        ("hdfs://nn:8020/data/s/t", "hdfs:///data/s/t"),
        ("hdfs://nn:8020/data/s/t", "hdfs://nn:8020/data/s/t"),
        ("s3a://lake/s/t", "s3://lake/s/t"),
        ("file:/project/warehouse/s/t", "s/t"),
        ("hdfs://nn:8020/warehouse/s/t", "./s/t"),
    ],
)
def test_a_table_is_in_the_folder_whose_file_system_is_left_out(found: str, location: str) -> None:
    assert lies_in(found, location)


@pytest.mark.parametrize(
    ("found", "location"),
    [
        ("file:/data/s/t", "/data/s/other"),
        ("hdfs://nn:8020/data/s/t", "hdfs://another:8020/data/s/t"),
        ("hdfs://nn:8020/data/s/t", "file:/data/s/t"),
        ("s3a://lake/s/t", "s3://sea/s/t"),
        ("file:/project/warehouse/as/t", "s/t"),
        ("", "/data/s/t"),
        ("file:/data/a#1/s/t", "/data/a#2/s/t"),
        ("file:/data/a?1/s/t", "/data/a?2/s/t"),
        ("file:/data/a%20b/t", "/data/a b/t"),
        ("file:/a#b/warehouse/lake#1/t", "lake#2/t"),
    ],
)
def test_a_table_of_another_file_system_or_folder_is_not(found: str, location: str) -> None:
    assert not lies_in(found, location)
