"""Targets of one process: where one may not read and write another one's tables."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.deltaspark.session import SessionError, SessionSettings
from dbt.adapters.deltaspark.session.places import Opened, check_place

DEV = SessionSettings(warehouse="/shop/dev", metastore="/shop/catalog", master="local[*]")
NO_CONTEXT: Any = None


@pytest.mark.parametrize(
    "other",
    [
        {"warehouse": "/shop/prod"},
        {"warehouse": None},
        {"metastore": "thrift://shop:9083"},
        {"master": "spark://shop:7077"},
        {"spark_config": (("spark.sql.warehouse.dir", "/shop/prod"),)},
        {"spark_config": (("spark.hadoop.hive.metastore.uris", "thrift://shop:9083"),)},
        {"spark_config": (("spark.hadoop.javax.jdo.option.ConnectionURL", "jdbc:mysql://shop"),)},
        {"spark_config": (("spark.sql.catalogImplementation", "in-memory"),)},
    ],
)
def test_another_place_is_refused(other: dict[str, Any]) -> None:
    with pytest.raises(SessionError, match="a process of its own"):
        check_place(Opened(NO_CONTEXT, DEV, None), replace(DEV, **other))


@pytest.mark.parametrize(
    "other",
    [
        {"master": "local[2]"},
        {"driver_memory": "9g"},
        {"warehouse": "/data", "spark_config": (("spark.sql.warehouse.dir", "/shop/dev"),)},
    ],
)
def test_what_leads_to_the_same_tables_is_not(other: dict[str, Any]) -> None:
    check_place(Opened(NO_CONTEXT, DEV, None), replace(DEV, **other))


def test_a_folder_by_another_name_is_the_same_place(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path)
    first = replace(DEV, warehouse=str(tmp_path / "w"))
    other = replace(DEV, warehouse=str(tmp_path / "link/w"))
    check_place(Opened(NO_CONTEXT, first, None), other)


def test_what_is_secret_in_a_place_is_not_shown() -> None:
    first = replace(DEV, metastore="jdbc:postgresql://shop/hive?user=me&password=hunter2")
    with pytest.raises(SessionError) as caught:
        check_place(Opened(NO_CONTEXT, first, None), DEV)
    assert "jdbc:postgresql://shop/hive" in str(caught.value)
    assert "hunter2" not in str(caught.value)
