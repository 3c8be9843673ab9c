"""The project with every strategy, wherever Spark runs: each place holds what the others hold.

`make places` builds it in each of them. `HELD=new` writes anew what embedded Spark holds, to be
read and judged before it is committed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
import servers
import yaml
from every_strategy import LONGEST_BUILD, Tables, built, record
from sessions import SMALL_TABLES

from dbt.adapters.deltaspark.session.confs import DELTA

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

FLIGHTS = Path(__file__).parents[2] / "integration_tests"
LEFT_BY_RUNS = shutil.ignore_patterns("warehouse", "metastore", "target", "logs", "__pycache__")
RUN_DBT = """\
import sys
from dbt.cli.main import dbtRunner
sys.exit(0 if dbtRunner().invoke(sys.argv[1:]).success else 1)
"""
NOTEBOOK = """\
import sys
from dbt.cli.main import dbtRunner
from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession

builder = SparkSession.builder.master("local[2]").appName("a notebook")
for name, value in {confs!r}.items():
    builder = builder.config(name, value)
spark = configure_spark_with_delta_pip(builder).getOrCreate()
spark.sparkContext.setJobGroup("a cell", "what it does")
before = spark.conf.getAll
done = dbtRunner().invoke(sys.argv[1:])
assert spark.conf.getAll == before
assert spark.sparkContext.getLocalProperty("spark.jobGroup.id") == "a cell"
assert spark.range(3).count() == 3 and spark.sparkContext.appName == "a notebook"
sys.exit(0 if done.success else 1)
"""
"""Its cells: a session of its own, dbt, and what comes after it in that session."""
HIVE = {**DELTA, "spark.sql.catalogImplementation": "hive", "spark.ui.enabled": "false"}


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
    program = servers.spark_submit(HIVE, str(folder / "run_dbt.py"))
    yield Place({}, ("env", f"PYSPARK_PYTHON={sys.executable}", *program))


@contextmanager
def notebook(folder: Path) -> Iterator[Place]:
    """A SparkSession that a notebook has started; the profile says nothing of where."""
    confs = {**HIVE, "spark.sql.session.timeZone": "UTC"}
    (folder / "notebook.py").write_text(NOTEBOOK.format(confs=confs))
    yield Place({}, (sys.executable, str(folder / "notebook.py")))


@pytest.mark.parametrize("place", [embedded, connect, cluster, submit, notebook])
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


def test_the_flights_project_ends_well_on_a_cluster(tmp_path: Path, project: Path) -> None:
    """Its three builds and its checks, on one flight in forty."""
    shutil.copytree(FLIGHTS, project, ignore=LEFT_BY_RUNS, dirs_exist_ok=True)
    with cluster(tmp_path) as (keys, _):
        keys["spark_config"] |= SMALL_TABLES
        profile = yaml.safe_load((project / "profiles.yml").read_text())
        profile["nyc_flights"]["outputs"]["dev"] |= {**keys, "driver_memory": "2g"}
        (project / "profiles.yml").write_text(yaml.safe_dump(profile))
        done = subprocess.run(
            [sys.executable, str(project / "run_demo.py"), "--one-in", "40"],
            capture_output=True,
            text=True,
            check=False,
            timeout=2 * LONGEST_BUILD,
        )
    assert done.returncode == 0, f"{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
