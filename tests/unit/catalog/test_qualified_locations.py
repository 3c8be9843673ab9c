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
        ("file:/data/a%20b/t", "/data/a b/t"),
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
    ],
)
def test_a_table_of_another_file_system_or_folder_is_not(found: str, location: str) -> None:
    assert not lies_in(found, location)
