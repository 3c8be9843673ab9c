"""Executors of a standalone cluster that are killed: `make test-cluster`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from contextlib import contextmanager
from random import Random
from threading import Event, Timer
from typing import TYPE_CHECKING, Any

import pytest
import servers

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import transactions
from dbt.adapters.deltaspark.engine.merge import matches, source
from dbt.adapters.deltaspark.session import SessionSettings, open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[servers.Cluster]:
    with servers.cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


ROWS, CHANGED, NEW = 20_000, 500, 100
PHASES: dict[str, tuple[Any, str]] = {
    "the source is kept": (source, "kept"),
    "the join": (matches, "kept"),
    "the write": (transactions.Transaction, "write"),
}
"""Steps of a merge, each with what does it."""
MERGES = int(os.environ.get("KILLS", "30"))
"""Each with an executor killed in the middle of it."""
LATER = "later"
DECOMMISSIONED = "Executor decommission"
"""How Spark tells of an executor that has gone because it had nothing to do."""


DYNAMIC = "spark.dynamicAllocation"
EXECUTORS: dict[str, dict[str, str]] = {
    "that stay": {},
    # Idle for a moment they are decommissioned, in the middle of a merge too, with rows they keep.
    "that come and go": {
        f"{DYNAMIC}.enabled": "true",
        f"{DYNAMIC}.shuffleTracking.enabled": "true",
        f"{DYNAMIC}.shuffleTracking.timeout": "1s",
        f"{DYNAMIC}.executorIdleTimeout": "1s",
        f"{DYNAMIC}.cachedExecutorIdleTimeout": "1s",
        f"{DYNAMIC}.maxExecutors": "2",
        "spark.decommission.enabled": "true",
        "spark.storage.decommission.enabled": "true",
    },
    "that keep no row": {"spark.checkpoint.dir": "{folder}/checkpoints"},
}


@pytest.fixture(scope="module", params=EXECUTORS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def folder(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The driver's."""
    return tmp_path_factory.mktemp(kind.replace(" ", "_"))


@pytest.fixture(scope="module")
def spark(kind: str, folder: Path, cluster: servers.Cluster) -> Iterator[SparkSession]:
    small = {"spark.sql.shuffle.partitions": "4", "spark.databricks.delta.snapshotPartitions": "2"}
    keys = servers.keys_of(cluster, folder)
    own = {key: value.format(folder=folder) for key, value in EXECUTORS[kind].items()}
    confs = tuple({**keys.pop("spark_config"), **small, **own}.items())
    session = open_session(SessionSettings(**keys, spark_config=confs))
    yield session
    session.stop()


def test_a_merge_that_loses_an_executor_is_one_commit_with_the_right_rows(
    kind: str,
    folder: Path,
    cluster: servers.Cluster,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spark.sql("CREATE TABLE counted (id BIGINT, n BIGINT) USING delta")
    spark.range(0, ROWS, 1, 8).selectExpr("id", "0 AS n").write.insertInto("counted")
    expected, kills = dict.fromkeys(range(ROWS), 0), Kills(cluster, folder)
    before = version(spark)
    for number in range(1, MERGES + 1):
        changed = kills.random.sample(range(ROWS), CHANGED)
        new = range(len(expected), len(expected) + NEW)
        keys = spark.createDataFrame([(key,) for key in (*changed, *new)], "id BIGINT")
        # Shuffled, so that rows of the source are on both executors when one of them goes.
        keys.repartition(4).selectExpr("id", f"{number} AS n").createOrReplaceTempView("arrived")
        phase = [*PHASES][number % len(PHASES)]
        with monkeypatch.context() as patch, kills.one_within(phase) as kill:
            place, name = PHASES[phase]
            patch.setattr(place, name, kill(getattr(place, name)))
            engine.merge_into(
                spark,
                "MERGE INTO counted t USING arrived s ON t.id = s.id"
                " WHEN MATCHED THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT *",
            )
        expected |= dict.fromkeys((*changed, *new), number)
        assert version(spark) == before + number
    assert {row["id"]: row["n"] for row in spark.table("counted").collect()} == expected
    assert spark.table("counted").count() == len(expected)
    assert kills.landed.total() == MERGES
    assert {*kills.landed} >= {*PHASES}
    assert any(DECOMMISSIONED in each for each in reasons(spark)) == (kind == "that come and go")
    assert kills.saw_checkpoints == (kind == "that keep no row")
    assert checkpoints(folder) == []


def version(spark: SparkSession) -> int:
    return int(spark.sql("DESCRIBE HISTORY counted LIMIT 1").collect()[0]["version"])


def checkpoints(folder: Path) -> list[Path]:
    return [*folder.glob("checkpoints/*/rdd-*")]


def reasons(spark: SparkSession) -> list[str]:
    """Why executors have gone."""
    found = spark._jsc.sc().statusStore().executorList(False)
    gone = [found.apply(at).removeReason() for at in range(found.size())]
    return [str(reason.get()) for reason in gone if reason.isDefined()]


class Kills:
    """Executors killed in the middle of steps, and whether rows lay in checkpoints meanwhile."""

    def __init__(self, cluster: servers.Cluster, folder: Path) -> None:
        self.cluster, self.folder, self.random = cluster, folder, Random(23)
        self.landed = Counter[str]()
        """By the phase whose step ran then, or LATER."""
        self.saw_checkpoints = False

    @contextmanager
    def one_within(
        self, phase: str
    ) -> Iterator[Callable[[Callable[..., Any]], Callable[..., Any]]]:
        """Wraps its step: a moment after it has begun for the first time, an executor is killed."""
        timers: list[Timer] = []
        at_work = Event()

        def wrapped(step: Callable[..., Any]) -> Callable[..., Any]:
            def run(*values: Any, **named: Any) -> Any:
                if not timers:
                    at_work.set()
                    timers.append(Timer(self.random.uniform(0, 0.4), self._kill, (phase, at_work)))
                    timers[0].start()
                try:
                    return step(*values, **named)
                finally:
                    at_work.clear()
                    self.saw_checkpoints |= checkpoints(self.folder) != []

            return run

        yield wrapped
        for timer in timers:
            timer.join()

    def _kill(self, phase: str, at_work: Event) -> None:
        """As by a machine that is taken away; its worker starts another. None is up: the next."""
        for _ in range(600):
            found = [pid for worker in self.cluster.workers for pid in children(worker.pid)]
            if found:
                os.kill(self.random.choice(found), signal.SIGKILL)
                self.landed[phase if at_work.is_set() else LATER] += 1
                return
            time.sleep(0.1)


def children(parent: int) -> list[int]:
    listed = subprocess.run(
        ["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in listed.stdout.split()]
