"""Tables in an S3 on loopback: `make test-s3`."""

from __future__ import annotations

import re
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import every_strategy
import flights_project
import pytest
from dbt_runs import DBT, agree, run_dbt, write
from places import Place
from servers import s3
from sessions import for_small_tables

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction
from dbt.adapters.deltaspark.session import open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BUCKET = "lake"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret"}


TABLE = "{{ config(materialized='table') }} select id, id % 2 as part from range(100)"
SMALL = {
    "dbt_project.yml": "name: small\nprofile: places\nversion: '1.0'\n",
    "models/a_view.sql": "select id from range(10)",
    "models/a_table.sql": TABLE,
    "models/another_table.sql": TABLE,
    "models/a_merge.sql": "{{ config(materialized='incremental', unique_key='id') }}"
    " select id, 1 as n from range({{ 100 if is_incremental() else 50 }})",
}
FEW = (200, 115)
COUNTER = f"delta.`s3a://{BUCKET}/counter`"
REQUEST = re.compile(r'"(?:GET|HEAD|PUT|POST|DELETE) ')


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the store tells of each request."""
    return tmp_path_factory.mktemp("s3") / "s3.log"


@pytest.fixture(scope="module")
def store(log: Path) -> Iterator[str]:
    with s3(log.parent) as url:
        boto3.client("s3", endpoint_url=url, region_name="us-east-1", **KEYS).create_bucket(
            Bucket=BUCKET
        )
        yield url


def target(url: str) -> dict[str, Any]:
    """What a user writes for a store of their own; Amazon's needs the first two lines alone."""
    return {
        "type": "deltaspark",
        "schema": "shop",
        "master": "local[2]",
        "threads": 2,
        "warehouse": f"s3a://{BUCKET}/warehouse",
        "packages": ["org.apache.hadoop:hadoop-aws:3.4.2"],
        "spark_config": {
            "spark.hadoop.fs.s3a.endpoint": url,
            "spark.hadoop.fs.s3a.path.style.access": True,
            "spark.hadoop.fs.s3a.access.key": KEYS["aws_access_key_id"],
            "spark.hadoop.fs.s3a.secret.key": KEYS["aws_secret_access_key"],
        },
    }


def test_two_builds_leave_the_same(store: str, project: Path) -> None:
    agree("strategies", every_strategy.built(Place(target(store)), project))


def test_two_builds_of_the_flights_leave_the_same(store: str, project: Path) -> None:
    agree("flights", flights_project.built(Place(target(store)), project))


def test_a_small_build_takes_few_requests(store: str, log: Path, project: Path) -> None:
    """Each costs money and some 20 ms; docs/deployment.md has the figures.

    And each command warns once of a second writer.
    """
    write(project, {**target(store), "schema": "small"}, SMALL)
    counted = []
    for _ in range(2):
        before = len(REQUEST.findall(log.read_text()))
        said = run_dbt(project, [DBT, "build"])
        assert said.count("two processes (of another machine, or another project") == 1, said
        counted.append(len(REQUEST.findall(log.read_text())) - before)
    print("requests of the first build, and of the second:", counted)
    assert counted[0] <= FEW[0]
    assert counted[1] <= FEW[1]


def test_a_commit_of_another_process_right_before_ours_is_kept(store: str, tmp_path: Path) -> None:
    """Only where it lands between the store's own look and its write is it lost."""
    assert in_a_process(add_around_another, store, tmp_path) == {"retries": 1, "version": 3, "n": 2}


def in_a_process(function: Callable[[str, Path], Any], store: str, folder: Path) -> Any:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(function, store, folder).result()


def opened(store: str, folder: Path) -> Any:
    keys = target(store)
    confs = {**keys["spark_config"], "spark.sql.catalogImplementation": "in-memory"}
    credentials = DeltaSparkCredentials.from_dict({**keys, "spark_config": confs})
    return for_small_tables(open_session(credentials.session_settings(folder)))


def add(spark: Any) -> engine.MergeResult:
    return engine.merge_into(
        spark,
        f"MERGE INTO {COUNTER} t USING (SELECT 1 AS id) s ON t.id = s.id"
        " WHEN MATCHED THEN UPDATE SET n = t.n + 1",
    )


def add_alone(store: str, folder: Path) -> None:
    add(opened(store, folder / "theirs"))


def add_around_another(store: str, folder: Path) -> dict[str, Any]:
    """What became of ours, when another process had added one after we had read."""
    spark = opened(store, folder / "ours")
    spark.sql(f"CREATE TABLE {COUNTER} (id INT, n INT) USING delta")
    spark.sql(f"INSERT INTO {COUNTER} VALUES (1, 0)")
    commit, others = Transaction.commit, [add_alone]

    def after_another(*values: Any) -> int | None:
        if others:
            in_a_process(others.pop(), store, folder)
        return commit(*values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Transaction, "commit", after_another)
        result = add(spark)
    n = spark.sql(f"SELECT n FROM {COUNTER}").collect()[0]["n"]
    return {"retries": result.retries, "version": result.version, "n": n}
