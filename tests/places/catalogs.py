"""Catalogs that several processes share, each with a real server: `make test-catalogs`."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import every_strategy
import flights_project
import pytest
import servers
from dbt_runs import DBT, agree, run_dbt, write
from places import Place
from sessions import for_small_tables

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.session import SessionError, SessionSettings, open_session
from dbt.adapters.deltaspark.session.start import MAKE_SCHEMA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

PROCESSES, COMMITS = 3, 100
PACKAGES = {"postgres": ("org.postgresql:postgresql:42.7.8",), "hive": ()}
CONFS = {
    "spark.hadoop.datanucleus.schema.autoCreateTables": "true",
    "spark.hadoop.hive.metastore.schema.verification": "false",
}
SHARED = """\
{{ config(materialized='incremental', incremental_strategy='append') }}
select id, '{{ var("who", "first") }}' as who from range(100)
"""
PROJECT = "name: shared\nprofile: places\nversion: '1.0'\n"


def test_an_empty_database_is_told_with_the_lines_that_make_its_tables(tmp_path: Path) -> None:
    with servers.postgres(tmp_path) as url:
        packages = list(PACKAGES["postgres"])
        catalog = {"metastore": url, "packages": packages, "warehouse": str(tmp_path / "tables")}
        said = in_a_process(refused, catalog)
    assert said.endswith(f"\n{MAKE_SCHEMA}")
    assert " is empty: " in said
    assert url not in said


@pytest.fixture(scope="module", params=PACKAGES)
def catalog(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Any]]:
    """The keys of a profile that name it."""
    folder = tmp_path_factory.mktemp(request.param)
    with getattr(servers, request.param)(folder) as url:
        packages = list(PACKAGES[request.param])
        yield {"metastore": url, "packages": packages, "warehouse": str(folder / "tables")}


def test_two_builds_leave_the_same(catalog: dict[str, Any], project: Path) -> None:
    agree("strategies", every_strategy.built(place(catalog), project))


def test_two_builds_of_the_flights_leave_the_same(catalog: dict[str, Any], project: Path) -> None:
    agree("flights", flights_project.built(place(catalog), project))


def place(catalog: dict[str, Any]) -> Place:
    return Place({"master": "local[2]", **catalog, "spark_config": CONFS})


def test_three_builds_at_once_lose_no_row(catalog: dict[str, Any], project: Path) -> None:
    target = {"type": "deltaspark", "schema": "shared", "master": "local[1]", "threads": 1}
    files = {"dbt_project.yml": PROJECT, "models/arrived.sql": SHARED}
    write(project, {**target, **catalog, "driver_memory": "1g", "spark_config": CONFS}, files)
    run, others = [DBT, "build"], ("one", "two", "three")
    run_dbt(project, run)

    def build(who: str) -> None:
        own = ["--target-path", f"target_{who}", "--log-path", f"logs_{who}"]
        run_dbt(project, [*run, *own, "--vars", f"{{who: {who}}}"])

    with ThreadPoolExecutor(PROCESSES) as at_once:
        [*at_once.map(build, others)]
    assert in_a_process(arrived, catalog) == dict.fromkeys(("first", *others), (100, 100))


def test_three_processes_lose_no_commit(catalog: dict[str, Any]) -> None:
    in_a_process(make, catalog)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as processes:
        added = [*processes.map(add, [catalog] * PROCESSES)]
    assert added == [COMMITS] * PROCESSES
    assert in_a_process(counted, catalog) == (PROCESSES * COMMITS,) * 2


def in_a_process(function: Callable[[dict[str, Any]], Any], catalog: dict[str, Any]) -> Any:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(function, catalog).result()


def refused(catalog: dict[str, Any]) -> str:
    with pytest.raises(SessionError) as raised:
        opened(catalog, {})
    return str(raised.value)


def arrived(catalog: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Of each process how many rows, and how many of them differ."""
    rows = opened(catalog).sql(
        "SELECT who, count(*) AS n, count(DISTINCT id) AS ids FROM shared.arrived GROUP BY who"
    )
    return {row["who"]: (row["n"], row["ids"]) for row in rows.collect()}


def opened(catalog: dict[str, Any], confs: Mapping[str, str] = CONFS) -> Any:
    settings = SessionSettings(
        master="local[1]",
        driver_memory="1g",
        metastore=catalog["metastore"],
        warehouse=catalog["warehouse"],
        packages=tuple(catalog["packages"]),
        spark_config=tuple(confs.items()),
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
