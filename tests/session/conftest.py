"""A connection manager as dbt drives it, and a folder whose Spark stays warm for one module."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from warm_users import Users

from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager
from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.session.class_archive import FOLDER

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture
def manager(
    spark: SparkSession, spark_target: dict[str, Any]
) -> Iterator[DeltaSparkConnectionManager]:
    credentials = DeltaSparkCredentials.from_dict({"schema": "managed", **spark_target})
    profile: Any = SimpleNamespace(credentials=credentials, project_root="/")
    manager = DeltaSparkConnectionManager(profile, multiprocessing.get_context("spawn"))
    manager.set_connection_name("model.shop.orders")
    manager.execute("create schema if not exists managed")
    yield manager
    manager.cleanup_all()


@pytest.fixture(scope="module")
def users(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Users]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(FOLDER, str(tmp_path_factory.mktemp("cache")))
        users = Users(tmp_path_factory.mktemp("shop"))
        yield users
        users.end()
