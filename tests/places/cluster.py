"""A standalone cluster of a master and two workers on loopback: `make test-cluster`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import servers
from every_strategy import Tables, built

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.Cluster]:
    with servers.cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


def target(cluster: servers.Cluster, folder: Path) -> dict[str, Any]:
    return {
        "type": "deltaspark",
        "schema": "shop",
        "master": cluster.master,
        "threads": 2,
        "warehouse": str(folder / "warehouse"),
        "metastore": str(folder / "metastore"),
        "spark_config": {"spark.driver.host": "127.0.0.1", "spark.executor.memory": "1g"},
    }


def test_two_builds_leave_what_embedded_ones_leave(
    cluster: servers.Cluster, project: Path, embedded: Tables
) -> None:
    assert built(target(cluster, project), project) == embedded
