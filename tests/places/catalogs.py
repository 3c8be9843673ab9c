"""Catalogs that several processes share, each with a real server: `make test-catalogs`."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

import pytest
import servers
from every_strategy import Tables, built
from sessions import for_small_tables

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.session import SessionSettings, open_session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PROCESSES, COMMITS = 3, 100
PACKAGES = {"postgres": ("org.postgresql:postgresql:42.7.8",), "hive": ()}
CONFS = {
    "spark.hadoop.datanucleus.schema.autoCreateTables": "true",
    "spark.hadoop.hive.metastore.schema.verification": "false",
}


@pytest.fixture(scope="module", params=PACKAGES)
def catalog(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """The keys of a profile that name it."""
    folder = tmp_path_factory.mktemp(request.param)
    with getattr(servers, request.param)(folder) as url:
        packages = list(PACKAGES[request.param])
        yield {"metastore": url, "packages": packages, "warehouse": str(folder / "tables")}


def test_two_builds_leave_the_same(catalog: dict[str, Any], project: Path, held: Tables) -> None:
    target = {"type": "deltaspark", "schema": "shop", "master": "local[2]", "threads": 2}
    assert built({**target, **catalog, "spark_config": CONFS}, project) == held


def test_three_processes_lose_no_commit(catalog: dict[str, Any]) -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as first:
        first.submit(make, catalog).result()
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as processes:
        added = [*processes.map(add, [catalog] * PROCESSES)]
    assert added == [COMMITS] * PROCESSES
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as last:
        assert last.submit(counted, catalog).result() == (PROCESSES * COMMITS,) * 2


def opened(catalog: dict[str, Any]) -> Any:
    settings = SessionSettings(
        master="local[1]",
        driver_memory="1g",
        metastore=catalog["metastore"],
        warehouse=catalog["warehouse"],
        packages=tuple(catalog["packages"]),
        spark_config=tuple(CONFS.items()),
    )
    return for_small_tables(open_session(settings))


def make(catalog: dict[str, Any]) -> None:
    spark = opened(catalog)
    spark.sql("CREATE SCHEMA IF NOT EXISTS counters")
    spark.sql("CREATE TABLE counters.n USING delta AS SELECT 1 AS id, 0L AS n")


def add(catalog: dict[str, Any]) -> int:
    """How often it added one, each time in a commit."""
    spark = opened(catalog)
    for _ in range(COMMITS):
        engine.merge_into(
            spark,
            "MERGE INTO counters.n t USING (SELECT 1 AS id) s ON t.id = s.id"
            " WHEN MATCHED THEN UPDATE SET n = t.n + 1",
            conflict_retries=100,
        )
    return COMMITS


def counted(catalog: dict[str, Any]) -> tuple[int, int]:
    """The counter, and the table's version: it was made by version 0."""
    spark = opened(catalog)
    version = spark.sql("DESCRIBE HISTORY counters.n LIMIT 1").collect()[0]["version"]
    return spark.table("counters.n").collect()[0]["n"], version
