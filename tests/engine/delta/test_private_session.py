"""The engine works in a copy of the caller's session, in which names mean the same tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pyspark.errors import PySparkException

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import Jvm

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

CONFS = {
    "spark.sql.catalog.shop": "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog",
    "spark.sql.catalog.shop.driver": "org.apache.derby.iapi.jdbc.AutoloadedDriver",
}


@pytest.fixture
def elsewhere(small: SparkSession, tmp_path: Path) -> SparkSession:
    session = small.newSession()
    for key, value in CONFS.items():
        session.conf.set(key, value)
    session.conf.set("spark.sql.catalog.shop.url", f"jdbc:derby:{tmp_path / 'shop'};create=true")
    session.sql("CREATE NAMESPACE shop.sales")
    session.sql("USE shop.sales")
    return session


def test_the_current_catalog_and_schema_are_the_caller_s(elsewhere: SparkSession) -> None:
    catalog = Jvm.private(elsewhere).spark.catalog
    assert (catalog.currentCatalog(), catalog.currentDatabase()) == ("shop", "sales")


def test_a_table_of_that_name_in_spark_s_catalog_is_left_alone(
    small: SparkSession, elsewhere: SparkSession
) -> None:
    small.sql("CREATE TABLE default.named_twice (id INT) USING delta")
    try:
        small.sql("INSERT INTO default.named_twice VALUES (1)")
        with pytest.raises((PySparkException, engine.EngineError)):
            engine.DeltaTarget.for_name(elsewhere, "named_twice").delete("id = 1")
        assert small.table("default.named_twice").count() == 1
    finally:
        small.sql("DROP TABLE default.named_twice")
