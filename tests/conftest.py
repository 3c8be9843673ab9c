"""One Spark for each test process, started as the adapter starts it; dbt's own test fixtures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytest_plugins = ["dbt.tests.fixtures.project"]


@pytest.fixture(scope="session")
def spark_target(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A profile's target, with a warehouse and a catalog of this process's own."""
    folder = tmp_path_factory.mktemp("spark")
    return {
        "type": "deltaspark",
        "master": "local[2]",
        "warehouse": str(folder / "warehouse"),
        "metastore": str(folder / "metastore"),
        "driver_memory": "3g",
        "spark_config": {"spark.sql.shuffle.partitions": 2},
        "threads": 4,
    }


@pytest.fixture(scope="session")
def dbt_profile_target(spark_target: dict[str, Any]) -> dict[str, Any]:
    """A copy: dbt's fixtures write each project's schema into it."""
    return dict(spark_target)


@pytest.fixture(scope="session")
def spark(spark_target: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    """A session of the process's one Spark."""
    from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
    from dbt.adapters.deltaspark.session.spark import open_session

    keys = {key: value for key, value in spark_target.items() if key not in {"type", "threads"}}
    credentials = DeltaSparkCredentials.from_dict({"schema": "default", **keys})
    return open_session(credentials.session_settings(tmp_path_factory.getbasetemp()))


@pytest.fixture(scope="session")
def small(spark: SparkSession) -> SparkSession:
    """A session of it for many tiny tables."""
    from sessions import for_small_tables

    return for_small_tables(spark)
