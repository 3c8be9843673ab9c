"""A table that is emptied for a clone gets its rows back, or its error says how."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import pytest
from dbt_common.exceptions import DbtDatabaseError, DbtRuntimeError
from waiting import wait_for_listeners, wait_until

from dbt.adapters.deltaspark.engine.delta import session_confs
from dbt.adapters.deltaspark.materialize import clones
from dbt.adapters.deltaspark.materialize.clones import emptied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager

FOREVER = "select count(*) from range(100000000000000) where id % 7 = rand()"


def test_a_cancel_does_not_end_the_taking_back(manager: DeltaSparkConnectionManager) -> None:
    manager.execute("create or replace table managed.emptied as select 1L as id")
    errors: list[Exception] = []
    is_empty = threading.Event()

    def clone() -> None:
        manager.set_connection_name("model.shop.cloned")
        try:
            with manager.working("clone") as spark, emptied(spark, "managed.emptied"):
                wait_for_listeners(spark)  # else a job of before is taken for the endless one
                is_empty.set()
                manager.execute(FOREVER, fetch=True)
        except DbtDatabaseError as error:
            errors.append(error)
        finally:
            manager.release()

    worker = threading.Thread(target=clone, daemon=True)
    worker.start()
    session = manager.get_thread_connection().handle.session
    tracker = session.sparkContext.statusTracker()
    is_empty.wait(timeout=180)
    wait_until(lambda: bool(tracker.getActiveJobsIds()), "no job began")
    manager.cancel_open()
    worker.join(timeout=60)
    assert "SPARK_JOB_CANCELLED" in str(errors[0])
    assert "emptied before" not in str(errors[0])
    assert [row.id for row in session.table("managed.emptied").collect()] == [1]


def test_an_error_keeps_its_words_where_the_rows_cannot_come_back(
    manager: DeltaSparkConnectionManager,
) -> None:
    manager.execute("create or replace table managed.emptied as select 1L as id")
    with (
        pytest.raises(DbtRuntimeError) as caught,
        manager.working("clone") as spark,
        emptied(spark, "managed.emptied"),
    ):
        spark.sql("drop table managed.emptied")
        raise DbtRuntimeError("why the clone failed")
    cause, said, way_out = caught.value.msg.splitlines()
    assert cause == "why the clone failed"
    assert said.startswith("managed.emptied was emptied before, and did not get its rows back: ")
    assert way_out.startswith("RESTORE TABLE managed.emptied TO VERSION AS OF ")


def rival_at(*moments: int) -> Callable[..., AbstractContextManager[None]]:
    """`session_confs` of a session in which another writer commits at these moments.

    Each statement with a note has two: 0 is before the first, 1 right after it.
    """
    now = count()

    def interrupted(spark: SparkSession) -> None:
        if next(now) in moments:
            spark.newSession().sql("insert into managed.emptied values (2)")

    @contextmanager
    def noted(spark: SparkSession, confs: Mapping[str, str]) -> Iterator[None]:
        interrupted(spark)
        with session_confs(spark, confs):
            yield
        interrupted(spark)

    return noted


AFTER_THE_DELETE, BEFORE_THE_RESTORE, AFTER_THE_RESTORE = 1, 2, 3


@pytest.mark.parametrize("moment", [AFTER_THE_DELETE, BEFORE_THE_RESTORE])
def test_what_another_writer_adds_meanwhile_stays_and_the_error_says_how_to_get_the_rest(
    manager: DeltaSparkConnectionManager, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    manager.execute("create or replace table managed.emptied as select 1L as id")
    monkeypatch.setattr(clones, "session_confs", rival_at(moment))
    with (
        pytest.raises(DbtRuntimeError) as caught,
        manager.working("clone") as spark,
        emptied(spark, "managed.emptied"),
    ):
        raise DbtRuntimeError("why the clone failed")
    _, way_out = caught.value.msg.splitlines()
    assert way_out.startswith("Another writer changed managed.emptied, which was emptied before")
    session = manager.get_thread_connection().handle.session
    assert [row.id for row in session.table("managed.emptied").collect()] == [2]
    session.sql(way_out[way_out.index("RESTORE") :])
    assert [row.id for row in session.table("managed.emptied").collect()] == [1]


def test_of_other_writers_on_both_sides_of_the_restore_the_error_names_the_history(
    manager: DeltaSparkConnectionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.execute("create or replace table managed.emptied as select 1L as id")
    monkeypatch.setattr(clones, "session_confs", rival_at(BEFORE_THE_RESTORE, AFTER_THE_RESTORE))
    with (
        pytest.raises(DbtRuntimeError) as caught,
        manager.working("clone") as spark,
        emptied(spark, "managed.emptied"),
    ):
        raise DbtRuntimeError("why the clone failed")
    assert "DESCRIBE HISTORY managed.emptied has their versions" in caught.value.msg
