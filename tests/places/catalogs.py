"""Catalogs that several processes share, each with a real server: `make test-catalogs`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from every_strategy import Tables, built
from servers import postgres

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres(tmp_path_factory.mktemp("catalog")) as url:
        yield url


def target(url: str, warehouse: Path, schema: str = "shop") -> dict[str, Any]:
    return {
        "type": "deltaspark",
        "schema": schema,
        "master": "local[2]",
        "threads": 2,
        "warehouse": str(warehouse),
        "metastore": url,
        "packages": ["org.postgresql:postgresql:42.7.8"],
        "spark_config": {
            "spark.hadoop.datanucleus.schema.autoCreateTables": True,
            "spark.hadoop.hive.metastore.schema.verification": False,
        },
    }


def test_two_builds_with_postgresql_leave_what_embedded_ones_leave(
    database: str, project: Path, embedded: Tables
) -> None:
    assert built(target(database, project / "warehouse"), project) == embedded
