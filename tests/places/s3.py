"""Tables in an S3 on loopback: `make test-s3`."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import boto3
import pytest
from every_strategy import Tables, built, run_dbt, write
from servers import s3

if TYPE_CHECKING:
    from collections.abc import Iterator

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


def test_two_builds_leave_the_same(store: str, project: Path, held: Tables) -> None:
    assert built(target(store), project) == held


def test_a_small_build_takes_few_requests(store: str, log: Path, project: Path) -> None:
    """Each costs money and some 20 ms; docs/deployment.md has the figures."""
    write(project, {**target(store), "schema": "small"}, SMALL)
    run, counted = str(Path(sys.executable).with_name("dbt")), []
    for _ in range(2):
        before = len(REQUEST.findall(log.read_text()))
        run_dbt(project, [run, "build"])
        counted.append(len(REQUEST.findall(log.read_text())) - before)
    print("requests of the first build, and of the second:", counted)
    assert counted[0] <= FEW[0]
    assert counted[1] <= FEW[1]
