"""A merge is one execution in Spark's SQL UI, with Delta's metrics beside it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import execution

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

UPSERT = """MERGE INTO delta.`{path}` t USING (SELECT * FROM VALUES (1, 'x'), (7, 'y') AS v(id, v))
    s
    ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"""
SECONDS = 180


@pytest.fixture(autouse=True)
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark's UI is off in the tests, and what it would show is kept all the same."""
    monkeypatch.setattr(execution, "is_watched", lambda _: True)


@pytest.fixture
def path(small: SparkSession, tmp_path: Path) -> Path:
    path = tmp_path / "target"
    small.sql(f"CREATE TABLE delta.`{path}` (id INT, v STRING) USING delta")
    small.sql(f"INSERT INTO delta.`{path}` VALUES (1, 'a'), (2, 'b')")
    return path


def executions_of(spark: SparkSession, path: Path) -> list[Any]:
    """Executions of merges into the table that have ended, once the listener has seen them."""
    store = spark._jsparkSession.sharedState().statusStore()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        listed = store.executionsList()
        every = [listed.apply(i) for i in range(listed.size())]
        title = f"MERGE INTO delta.`file:{path}`"
        found = [each for each in every if each.description() == title]
        if found and all(each.completionTime().isDefined() for each in found):
            return found
        time.sleep(0.05)
    raise AssertionError("the merge is not in the UI")


def metrics_of(spark: SparkSession, execution: Any) -> dict[str, str]:
    store = spark._jsparkSession.sharedState().statusStore()
    values = store.executionMetrics(execution.executionId())
    infos = execution.metrics()
    return {
        infos.apply(i).name(): values.get(infos.apply(i).accumulatorId()).get()
        for i in range(infos.size())
        if values.contains(infos.apply(i).accumulatorId())
    }


def test_a_merge_is_one_execution_with_delta_s_metrics(small: SparkSession, path: Path) -> None:
    engine.merge_into(small, UPSERT.format(path=path))
    (execution,) = executions_of(small, path)
    metrics = metrics_of(small, execution)
    assert metrics["number of inserted rows"] == "1"
    assert metrics["number of updated rows"] == "1"
    assert metrics["number of target files before skipping"] == "2"
    assert metrics["number of source rows (during repeated scan)"] == "2"


def test_the_jobs_of_a_merge_are_below_it(small: SparkSession, path: Path) -> None:
    engine.merge_into(small, UPSERT.format(path=path))
    (execution,) = executions_of(small, path)
    listed = small._jsparkSession.sharedState().statusStore().executionsList()
    roots = [listed.apply(i).rootExecutionId() for i in range(listed.size())]
    assert roots.count(execution.executionId()) > 1


def test_a_merge_that_fails_ends_as_failed(small: SparkSession, path: Path) -> None:
    small.sql(f"ALTER TABLE delta.`{path}` ADD CONSTRAINT small CHECK (id < 5)")
    with pytest.raises(Exception, match="small"):
        engine.merge_into(small, UPSERT.format(path=path))
    (execution,) = executions_of(small, path)
    assert execution.errorMessage().get() == "failed"
    assert small.sparkContext.getLocalProperty("spark.sql.execution.id") is None


class Context:
    """What of a SparkContext is asked."""

    def __init__(self, confs: dict[str, str]) -> None:
        self.confs = confs

    def getConf(self) -> dict[str, str]:
        return self.confs


OFF = {"spark.ui.enabled": "false"}


@pytest.mark.parametrize(
    ("confs", "watched"),
    [
        ({}, True),
        (OFF, False),
        ({"spark.ui.enabled": "False"}, False),
        ({**OFF, "spark.eventLog.enabled": "TRUE"}, True),
        ({**OFF, "spark.extraListeners": "a.Listener"}, True),
        ({**OFF, "spark.plugins": "a.Plugin"}, True),
    ],
)
def test_jobs_are_described_where_something_hears_of_them(
    confs: dict[str, str], watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    execution.is_watched.cache_clear()
    assert execution.is_watched(Context(confs)) is watched
    execution.is_watched.cache_clear()
