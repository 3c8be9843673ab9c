"""Tables in an S3 on loopback: `make test-s3`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import boto3
import pytest
from every_strategy import Tables, built
from servers import s3

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BUCKET = "lake"
KEYS = {"aws_access_key_id": "key", "aws_secret_access_key": "secret"}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with s3(tmp_path_factory.mktemp("s3")) as url:
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
