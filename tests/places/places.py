"""Where Spark may run: the keys of a profile that say so, and what runs dbt there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import servers
from dbt_runs import DBT

from dbt.adapters.deltaspark.session.confs import DELTA
from dbt.adapters.deltaspark.session.without_delta import delta_packages

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


WITH_PYTHON = ("env", f"PYSPARK_PYTHON={sys.executable}")
"""For functions of Python models, which run on executors: the Python that has dbt."""


class Place(NamedTuple):
    """The keys of a profile that say where Spark is, what runs dbt, and what another program."""

    keys: dict[str, Any]
    dbt: tuple[str, ...] = (DBT,)
    python: tuple[str, ...] = (sys.executable,)


PlaceIn = Callable[[Path], AbstractContextManager[Place]]
"""A place, with a folder for what it needs."""


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
        yield Place(servers.keys_of(running, folder), (*WITH_PYTHON, DBT))


@contextmanager
def submit(folder: Path) -> Iterator[Place]:
    """A driver that spark-submit has started as the docs say; the profile says nothing of where."""
    (folder / "run_dbt.py").write_text(RUN_DBT)
    started = servers.spark_submit({"spark.ui.enabled": "false"}, "--packages", delta_packages())
    python = (*WITH_PYTHON, *started)
    yield Place({}, (*python, str(folder / "run_dbt.py")), python)


@contextmanager
def notebook(folder: Path) -> Iterator[Place]:
    """A SparkSession that a notebook has started; the profile says nothing of where."""
    confs = {
        **DELTA,
        "spark.sql.catalogImplementation": "hive",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
    }
    (folder / "notebook.py").write_text(NOTEBOOK.format(confs=confs))
    yield Place({}, (sys.executable, str(folder / "notebook.py")))
