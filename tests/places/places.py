"""The project with every strategy, wherever Spark runs: each place holds what the others hold.

`make places` builds it in each of them. `HELD=new` writes anew what embedded Spark holds, to be
read and judged before it is committed.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import servers
from every_strategy import Tables, built, record

from dbt.adapters.deltaspark.session.confs import DELTA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

RUN_DBT = """\
import sys
from dbt.cli.main import dbtRunner
sys.exit(0 if dbtRunner().invoke(sys.argv[1:]).success else 1)
"""


class Place(NamedTuple):
    """The keys of a profile that say where Spark is, and what runs dbt."""

    keys: dict[str, Any]
    command: tuple[str, ...] = ()


@contextmanager
def embedded(folder: Path) -> Iterator[Place]:  # noqa: ARG001
    yield Place({"master": "local[2]"})


@contextmanager
def connect(folder: Path) -> Iterator[Place]:
    with servers.connect(folder) as url:
        yield Place({"remote": url})


@contextmanager
def cluster(folder: Path) -> Iterator[Place]:
    with servers.cluster(folder) as running:
        yield Place(servers.keys_of(running, folder))


@contextmanager
def submit(folder: Path) -> Iterator[Place]:
    """A driver that spark-submit has started; the profile says nothing of where."""
    (folder / "run_dbt.py").write_text(RUN_DBT)
    confs = {**DELTA, "spark.sql.catalogImplementation": "hive", "spark.ui.enabled": "false"}
    program = servers.spark_submit(confs, str(folder / "run_dbt.py"))
    yield Place({}, ("env", f"PYSPARK_PYTHON={sys.executable}", *program))


@pytest.mark.parametrize("place", [embedded, connect, cluster, submit])
def test_two_builds_leave_the_same_everywhere(
    tmp_path: Path,
    project: Path,
    held: Tables,
    place: Callable[[Path], AbstractContextManager[Place]],
) -> None:
    with place(tmp_path) as (keys, command):
        found = built(
            {"type": "deltaspark", "schema": "shop", "threads": 2, **keys}, project, command
        )
    if place is embedded and os.environ.get("HELD") == "new":
        record(found)
    else:
        assert found == held
