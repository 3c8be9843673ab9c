"""Executors of a standalone cluster that are killed: `make test-cluster`."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from contextlib import contextmanager
from random import Random
from threading import Timer
from typing import TYPE_CHECKING, Any

import pytest
import servers

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import transactions
from dbt.adapters.deltaspark.engine.merge import matches, source
from dbt.adapters.deltaspark.session import SessionSettings, open_session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
def spark(
    request: pytest.FixtureRequest,
    cluster: servers.Cluster,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[SparkSession]:
    folder = tmp_path_factory.mktemp("driver")
    small = {"spark.sql.shuffle.partitions": "4", "spark.databricks.delta.snapshotPartitions": "2"}
    keys = servers.keys_of(cluster, folder)
    own = {key: value.format(folder=folder) for key, value in EXECUTORS[request.param].items()}
    confs = tuple({**keys.pop("spark_config"), **small, **own}.items())
    session = open_session(SessionSettings(**keys, spark_config=confs))
    yield session
    session.stop()


def test_a_merge_that_loses_an_executor_is_one_commit_with_the_right_rows(
    cluster: servers.Cluster, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark.sql("CREATE TABLE counted (id BIGINT, n BIGINT) USING delta")
    spark.range(0, ROWS, 1, 8).selectExpr("id", "0 AS n").write.insertInto("counted")
    random, expected, killed = Random(23), dict.fromkeys(range(ROWS), 0), Counter[str]()
    before = version(spark)
    for number in range(1, MERGES + 1):
        changed = random.sample(range(ROWS), CHANGED)
        new = range(len(expected), len(expected) + NEW)
        keys = spark.createDataFrame([(key,) for key in (*changed, *new)], "id BIGINT")
        # Shuffled, so that rows of the source are on both executors when one of them goes.
        keys.repartition(4).selectExpr("id", f"{number} AS n").createOrReplaceTempView("arrived")
        phase = [*PHASES][number % len(PHASES)]
        with monkeypatch.context() as patch, killer(cluster, random, killed, phase) as kill:
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
    assert killed.total() == MERGES
    assert {*killed} == {*PHASES}


def version(spark: SparkSession) -> int:
    return int(spark.sql("DESCRIBE HISTORY counted LIMIT 1").collect()[0]["version"])


@contextmanager
def killer(
    cluster: servers.Cluster, random: Random, killed: Counter[str], phase: str
) -> Iterator[Callable[[Callable[..., Any]], Callable[..., Any]]]:
    """Wraps a step: a moment after it has begun for the first time, an executor is killed."""
    timers: list[Timer] = []

    def wrapped(step: Callable[..., Any]) -> Callable[..., Any]:
        def run(*values: Any, **named: Any) -> Any:
            if not timers:
                told = [cluster, random, killed, phase]
                timers.append(Timer(random.uniform(0, 0.4), kill_an_executor, told))
                timers[0].start()
            return step(*values, **named)

        return run

    yield wrapped
    for timer in timers:
        timer.join()


def kill_an_executor(
    cluster: servers.Cluster, random: Random, killed: Counter[str], phase: str
) -> None:
    """As by a machine that is taken away; its worker starts another. Where none is up, the next."""
    for _ in range(600):
        found = [pid for worker in cluster.workers for pid in children(worker.pid)]
        if found:
            os.kill(random.choice(found), signal.SIGKILL)
            killed[phase] += 1
            return
        time.sleep(0.1)


def children(parent: int) -> list[int]:
    listed = subprocess.run(
        ["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False
    )
    return [int(pid) for pid in listed.stdout.split()]
