"""The connection manager, as dbt drives it, on a real Spark."""

from __future__ import annotations

import json
import threading
import time
import traceback
from datetime import datetime
from typing import TYPE_CHECKING, Any

import pytest
from dbt_common.events.event_manager_client import add_callback_to_manager
from dbt_common.exceptions import DbtDatabaseError, DbtRuntimeError
from pyspark.errors import AnalysisException
from waiting import wait_until

from dbt.adapters.deltaspark.engine.errors import EngineError

if TYPE_CHECKING:
    import agate
    from dbt_common.events.base_types import EventMsg

    from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager

TELLING = "select raise_error('sc://h/;token=hunter2')"
FOREVER = "select count(*) from range(100000000000000) where id % 7 = rand()"
SOON = 30
"""Seconds, of which a machine with nothing else to do needs one."""


@pytest.fixture
def events() -> list[EventMsg]:
    seen: list[EventMsg] = []
    add_callback_to_manager(seen.append)
    return seen


def rows(table: agate.Table) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in table.rows]


def query(manager: DeltaSparkConnectionManager, sql: str, limit: int | None = None) -> Any:
    return rows(manager.execute(sql, fetch=True, limit=limit)[1])


def test_unqualified_names_resolve_in_the_profiles_schema(
    manager: DeltaSparkConnectionManager,
) -> None:
    manager.execute("create or replace table orders as select 1 as id")
    assert query(manager, "select * from spark_catalog.managed.orders") == [(1,)]


def test_a_limit_is_sparks_limit(manager: DeltaSparkConnectionManager) -> None:
    assert query(manager, "select id from range(1000000000000)", limit=2) == [(0,), (1,)]


def test_structs_and_maps_keep_their_names(manager: DeltaSparkConnectionManager) -> None:
    shown = query(manager, "select named_struct('a', 1, 'b', array(map('k', 2))) as s")
    assert shown == [('{"a": 1, "b": [{"k": 2}]}',)]


def test_timestamps_are_the_sessions_wall_clock_wherever_the_machine_is(
    manager: DeltaSparkConnectionManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        sql = "select timestamp'2013-07-01 12:00:00' as a, timestamp_ntz'2013-07-01 12:00:00' as b"
        assert query(manager, sql) == [(datetime(2013, 7, 1, 12), datetime(2013, 7, 1, 12))]
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("zone", ["+02:00", "Z", "GMT-03:30", "Asia/Tokyo", "PST"])
def test_a_sessions_time_zone_may_be_any_that_spark_knows(
    manager: DeltaSparkConnectionManager, zone: str
) -> None:
    manager.execute(f"set time zone '{zone}'")
    sql = "select 1 as id, timestamp'2013-07-01 12:00:00' as at, timestamp'9999-12-31 23:59:59'"
    assert query(manager, sql) == [
        (1, datetime(2013, 7, 1, 12), datetime(9999, 12, 31, 23, 59, 59))
    ]


def test_nested_timestamps_and_keys_that_json_does_not_have_are_shown(
    manager: DeltaSparkConnectionManager,
) -> None:
    manager.execute("set time zone 'America/Lima'")
    sql = (
        "select array(timestamp'2013-07-01 12:00:00') as a,"
        " map(date'2013-07-01', timestamp'0001-01-01 00:00:00') as m,"
        " named_struct('b', map(named_struct('k', 1.5), 2)) as s,"
        " interval '1-2' year to month as i, make_interval(0, 1) as c, timestamp'2013-07-01' as i"
    )
    ((array, by_day, struct, months, interval, day),) = query(manager, sql)
    assert json.loads(array) == ["2013-07-01T12:00:00"]
    assert json.loads(by_day) == {"2013-07-01": "0001-01-01T00:00:00"}
    assert json.loads(struct) == {"b": {'{"k": "1.5"}': 2}}
    assert (months, interval) == ("INTERVAL '1-2' YEAR TO MONTH", "1 months")
    assert day == datetime(2013, 7, 1)


def test_a_query_may_have_a_column_of_the_name_in_deltas_answers(
    manager: DeltaSparkConnectionManager,
) -> None:
    response, table = manager.execute("select null as num_affected_rows where 1 = 0", fetch=True)
    assert (response.rows_affected, rows(table)) == (None, [])


def test_a_sql_error_is_a_database_error_with_the_jvms_message(
    manager: DeltaSparkConnectionManager,
) -> None:
    with pytest.raises(DbtDatabaseError, match=r"\[TABLE_OR_VIEW_NOT_FOUND\].*`missing`"):
        query(manager, "select * from missing")


def test_a_delta_error_keeps_deltas_message(manager: DeltaSparkConnectionManager) -> None:
    manager.execute("create or replace table t (id int)")
    with pytest.raises(DbtDatabaseError, match=r"\[DELTA_MERGE_UNRESOLVED_EXPRESSION\] Cannot"):
        manager.execute(
            "merge into t using (select 1 as id) s on t.id = s.id"
            " when matched then update set nope = 1"
        )


def test_an_error_while_rows_are_fetched_is_a_database_error_too(
    manager: DeltaSparkConnectionManager,
) -> None:
    with pytest.raises(DbtDatabaseError, match="DIVIDE_BY_ZERO"):
        query(manager, "select 1 / (id - id) from range(1)")


def test_an_error_of_the_engine_is_a_runtime_error(manager: DeltaSparkConnectionManager) -> None:
    with pytest.raises(DbtRuntimeError, match="why and what to do"), manager.working("merge"):
        raise EngineError("why and what to do")


def test_an_error_of_ours_keeps_its_words_where_the_jvms_error_led_to_it(
    manager: DeltaSparkConnectionManager,
) -> None:
    with (
        pytest.raises(DbtRuntimeError, match="the way out"),
        manager.exception_handler("select nothing"),
    ):
        try:
            manager.get_thread_connection().handle.session.sql("select nothing")
        except AnalysisException as error:
            raise EngineError("the way out") from error


def test_a_secret_in_an_error_is_masked_and_its_cause_is_not_kept(
    manager: DeltaSparkConnectionManager,
) -> None:
    with pytest.raises(DbtDatabaseError, match=r"token=\*\*\*\*\*") as caught:
        query(manager, TELLING)
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))


def test_a_select_in_a_hook_really_runs(manager: DeltaSparkConnectionManager) -> None:
    with pytest.raises(DbtDatabaseError, match="it ran"):
        manager.execute("select raise_error('it ran')", fetch=False)


def test_the_time_of_a_query_covers_its_jobs(
    manager: DeltaSparkConnectionManager, events: list[EventMsg]
) -> None:
    query(manager, "select count(distinct sha2(cast(id as string), 512)) from range(1000000)")
    began, ended = (each for each in events if each.info.name in ("SQLQuery", "SQLQueryStatus"))
    between = ended.info.ts.ToNanoseconds() - began.info.ts.ToNanoseconds()
    assert ended.data.elapsed > 0.5 * between / 1e9


def test_each_statement_is_one_event_and_entering_the_schema_is_none(
    manager: DeltaSparkConnectionManager, events: list[EventMsg]
) -> None:
    manager.execute("create or replace table counted (id int)")
    query(manager, "select * from counted")
    assert [each.data.sql for each in events if each.info.name == "SQLQuery"] == [
        "create or replace table counted (id int)",
        "select * from counted",
    ]


def test_rows_that_an_update_touched_are_in_the_response(
    manager: DeltaSparkConnectionManager,
) -> None:
    manager.execute("create or replace table touched as select id from range(3)")
    response, _ = manager.execute("update touched set id = id + 1 where id > 0")
    assert response.rows_affected == 2


def test_begin_and_commit_are_quietly_nothing(
    manager: DeltaSparkConnectionManager, events: list[EventMsg]
) -> None:
    manager.begin()
    manager.commit()
    manager.clear_transaction()
    assert [each for each in events if each.info.name == "SQLQuery"] == []


def test_a_connection_opened_anew_has_a_new_session(manager: DeltaSparkConnectionManager) -> None:
    manager.execute("create temporary view left_over as select 1")
    manager.execute("set spark.sql.shuffle.partitions = 7")
    manager.release()
    manager.set_connection_name("model.shop.next")
    assert query(manager, "show views") == []
    assert query(manager, "set spark.sql.shuffle.partitions")[0][1] == "2"


def test_cancel_stops_the_running_job_and_leaves_the_table_unchanged(
    manager: DeltaSparkConnectionManager,
) -> None:
    manager.execute("create or replace table unchanged as select 1L as id")
    errors: list[Exception] = []

    def model() -> None:
        manager.set_connection_name("model.shop.slow")
        try:
            manager.execute(f"insert into unchanged {FOREVER}")
        except DbtDatabaseError as error:
            errors.append(error)
        finally:
            manager.release()

    worker = threading.Thread(target=model)
    worker.start()
    tracker = manager.get_thread_connection().handle.session.sparkContext.statusTracker()
    wait_until(lambda: bool(tracker.getJobIdsForGroup("model.shop.slow")), "no job began")
    names = manager.cancel_open()
    worker.join(timeout=SOON)
    assert not worker.is_alive()
    assert names == ["model.shop.slow"]
    assert "SPARK_JOB_CANCELLED" in str(errors[0])
    wait_until(lambda: not tracker.getActiveJobsIds(), "a job goes on")
    assert query(manager, "select * from unchanged") == [(1,)]


def test_a_connection_that_was_being_opened_at_the_cancel_starts_nothing(
    manager: DeltaSparkConnectionManager,
) -> None:
    errors: list[Exception] = []
    cancelled = threading.Event()

    def model() -> None:
        cancelled.wait()
        manager.set_connection_name("model.shop.late")
        try:
            manager.execute("select 1")
        except DbtRuntimeError as error:
            errors.append(error)
        finally:
            manager.release()

    worker = threading.Thread(target=model)
    worker.start()
    manager.cancel_open()
    cancelled.set()
    worker.join(timeout=60)
    assert "model.shop.late was cancelled" in str(errors[0])
    assert query(manager, "select 1 as still_mine") == [(1,)]


def test_cancel_ends_a_work_of_many_short_jobs(manager: DeltaSparkConnectionManager) -> None:
    errors: list[Exception] = []
    started = threading.Event()

    def merge() -> None:
        manager.set_connection_name("model.shop.many_jobs")
        try:
            with manager.working("merge") as session:
                while True:
                    started.set()
                    session.range(10).count()
        except DbtDatabaseError as error:
            errors.append(error)
        finally:
            manager.release()

    worker = threading.Thread(target=merge)
    worker.start()
    started.wait()
    manager.cancel_open()
    worker.join(timeout=SOON)
    assert not worker.is_alive()
    assert "SPARK_JOB_CANCELLED" in str(errors[0])
