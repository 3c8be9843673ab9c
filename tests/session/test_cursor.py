"""The cursor: what runs when, what comes back, and who can see it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql import Row, SparkSession
from waiting import wait_until

from dbt.adapters.deltaspark.engine.delta import Jvm
from dbt.adapters.deltaspark.session.cursor import Cancelled, SessionConnection
from dbt.adapters.deltaspark.session.job_groups import GROUP, give_back, group_of
from dbt.adapters.deltaspark.session.jvm_errors import message_of

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@pytest.fixture
def connection(spark: SparkSession) -> SessionConnection:
    return SessionConnection(spark.newSession(), "spark_catalog", "default")


def test_rows_come_back_as_spark_rows(connection: SessionConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("select * from values (1, 'a'), (2, null) as t (id, name)")
    assert cursor.fetchall() == [Row(id=1, name="a"), Row(id=2, name=None)]


def test_fetchone_walks_through_all_rows_and_ends_with_none(connection: SessionConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("select * from values (1), (2), (3) as t (id)")
    assert [cursor.fetchone() for _ in range(4)] == [Row(id=1), Row(id=2), Row(id=3), None]


def test_fetches_of_each_kind_continue_where_the_last_one_ended(
    connection: SessionConnection,
) -> None:
    cursor = connection.cursor()
    cursor.execute("select id from range(0, 6, 1, 1)")
    assert cursor.fetchone() == Row(id=0)
    assert cursor.fetchmany(2) == [Row(id=1), Row(id=2)]
    assert cursor.fetchall() == [Row(id=3), Row(id=4), Row(id=5)]
    assert cursor.fetchall() == []


def test_a_limited_fetch_of_a_huge_result_is_quick(connection: SessionConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("select id from range(1000000000000)")
    cursor.limit(3)
    assert cursor.fetchall() == [Row(id=0), Row(id=1), Row(id=2)]


def test_fetching_before_executing_is_an_error(connection: SessionConnection) -> None:
    with pytest.raises(ValueError, match="nothing was executed"):
        connection.cursor().fetchall()


def test_leaving_a_cursor_by_an_exception_does_not_swallow_it(
    connection: SessionConnection,
) -> None:
    with pytest.raises(ZeroDivisionError), connection.cursor():
        raise ZeroDivisionError


def test_bindings_keep_nulls_types_precision_and_quotes(connection: SessionConnection) -> None:
    values = [None, True, 2**53 + 1, Decimal("0.10"), date(2013, 1, 1), "O'Brien; drop table x"]
    cursor = connection.cursor()
    cursor.execute("select ? as a, ? as b, ? as c, ? as d, ? as e, ? as f", values)
    assert list(cursor.fetchall()[0]) == values
    types = [column[1] for column in cursor.description or []]
    assert types == ["void", "boolean", "bigint", "decimal(2,2)", "date", "string"]


def test_bindings_by_name(connection: SessionConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("select :a + 1 as x", {"a": 41})
    assert cursor.fetchall() == [Row(x=42)]


def test_the_description_has_names_types_and_nullability_without_running_the_query(
    connection: SessionConnection,
) -> None:
    cursor = connection.cursor()
    cursor.execute("select 1 as id, raise_error('it ran') as name")
    assert cursor.description == [
        ("id", "int", None, None, None, None, False),
        ("name", "void", None, None, None, None, True),
    ]


def test_a_command_has_no_description(connection: SessionConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("create or replace temporary view v as select 1 as id")
    assert cursor.description is None


def test_a_query_that_nobody_fetches_runs_when_it_is_drained(
    connection: SessionConnection,
) -> None:
    cursor = connection.cursor()
    cursor.execute("select raise_error('it ran')")
    with pytest.raises(PySparkException, match="it ran"):
        cursor.drain()


def test_a_command_runs_once_though_it_is_drained_too(connection: SessionConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("create or replace table drained (id int)")
    cursor.execute("insert into drained values (1)")
    cursor.drain()
    cursor.execute("select * from drained")
    assert cursor.fetchall() == [Row(id=1)]


READ = "(select id, v from asked)"
COMMANDS = (
    f"insert into answered select * from {READ}",
    f"insert overwrite answered select * from {READ}",
    f"insert into answered replace where id > 0 select * from {READ}",
    f"merge into answered t using {READ} s on false when not matched then insert *",
    "update answered set v = v + 1 where id = 1",
    "delete from answered where id = 1",
    f"create or replace table answered using delta as select * from {READ}",
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("fetch", ["fetchall", "fetchone", "drain"])
def test_a_command_that_reads_a_small_table_runs_once_though_its_answer_is_fetched(
    connection: SessionConnection, command: str, fetch: str
) -> None:
    cursor = connection.cursor()
    for name in ("asked", "answered"):
        cursor.execute(
            f"create or replace table {name} using delta as values (1, 1), (2, 3) t(id, v)"
        )
    cursor.execute("describe history answered")
    before = max(row.version for row in cursor.fetchall())
    cursor.execute(command)
    cursor.make_fetchable()
    getattr(cursor, fetch)()
    cursor.execute("describe history answered")
    assert max(row.version for row in cursor.fetchall()) == before + 1


def test_deltas_own_message_is_read_where_pyspark_cannot_render_it(
    connection: SessionConnection,
) -> None:
    cursor = connection.cursor()
    cursor.execute("create or replace table merged (id int)")
    with pytest.raises(Exception, match=".") as caught:
        cursor.execute(
            "merge into merged t using (select 1 as id) s on t.id = s.id"
            " when matched then update set nope = 1"
        )
    assert message_of(caught.value).startswith("[DELTA_MERGE_UNRESOLVED_EXPRESSION] Cannot resolve")


def test_a_runtime_errors_message_is_the_executors_without_a_stack_trace(
    connection: SessionConnection,
) -> None:
    cursor = connection.cursor()
    cursor.execute("select 1 / (id - id) as x from range(1)")
    with pytest.raises(PySparkException) as caught:
        cursor.fetchall()
    assert message_of(caught.value).startswith("[DIVIDE_BY_ZERO] Division by zero.")
    assert "\tat " not in message_of(caught.value)


def test_an_error_of_the_catalog_has_what_its_database_said_last(
    connection: SessionConnection,
) -> None:
    properties = f"tblproperties ('note' = '{'x' * 40000}')"
    with pytest.raises(PySparkException) as caught:
        connection.cursor().execute(f"create table noted (id int) using parquet {properties}")
    first, last = message_of(caught.value).splitlines()
    assert first.startswith("The catalog failed: Put request failed : INSERT INTO TABLE_PARAMS")
    assert last.startswith("A truncation error was encountered trying to shrink VARCHAR")


def test_jobs_carry_the_group_and_the_statement_as_their_description(
    connection: SessionConnection,
) -> None:
    connection.group = "model.shop.orders"
    context = connection.session.sparkContext
    with connection.working("select 1"):
        assert context.getLocalProperty("spark.jobGroup.id") == "model.shop.orders"
        assert context.getLocalProperty("spark.job.description") == "select 1"
    assert context.getLocalProperty("spark.jobGroup.id") is None


def test_a_statement_within_a_larger_work_leaves_the_works_description_in_force(
    connection: SessionConnection,
) -> None:
    context = connection.session.sparkContext
    with connection.working("merge into t"):
        connection.cursor().execute("select 1")
        assert context.getLocalProperty("spark.job.description") == "merge into t"


def test_the_callers_own_group_is_there_again_after_a_work_of_several_statements(
    connection: SessionConnection,
) -> None:
    context = connection.session.sparkContext
    context.setJobGroup("a cell", "what it does", interruptOnCancel=True)
    try:
        before = group_of(context)
        with connection.working("a model"):
            connection.cursor().execute("select 1")
            assert context.getLocalProperty(GROUP) == "dbt"
        assert group_of(context) == before
        connection.cancel()
        with pytest.raises(Cancelled):
            connection.cursor().execute("select 1")
        assert group_of(context) == before
    finally:
        give_back(context, dict.fromkeys(before))


def test_jobs_of_a_statement_are_found_by_the_group(connection: SessionConnection) -> None:
    connection.group = "model.shop.found"
    cursor = connection.cursor()
    cursor.execute("select sum(id) from range(100)")
    cursor.fetchall()
    tracker = connection.session.sparkContext.statusTracker()
    wait_until(lambda: bool(tracker.getJobIdsForGroup("model.shop.found")), "there is none")


def test_a_cancelled_connection_starts_nothing_new(connection: SessionConnection) -> None:
    connection.cancel()
    with pytest.raises(Cancelled):
        connection.cursor().execute("select 1")


def test_unqualified_names_resolve_in_the_schema_once_it_exists(spark: SparkSession) -> None:
    connection = SessionConnection(spark.newSession(), "spark_catalog", "made_later")
    cursor = connection.cursor()
    cursor.execute("select current_schema() as s")
    assert cursor.fetchall() == [Row(s="default")]
    cursor.execute("create schema made_later")
    cursor.execute("select current_schema() as s")
    assert cursor.fetchall() == [Row(s="made_later")]


def test_a_schema_that_is_there_is_entered_without_a_statement(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark.sql("create schema if not exists Made_Before")
    statements: list[str] = []
    run = SparkSession.sql

    def heard(session: SparkSession, text: str, args: Any = None) -> DataFrame:
        statements.append(text)
        return run(session, text, args)

    monkeypatch.setattr(SparkSession, "sql", heard)
    cursor = SessionConnection(spark.newSession(), "spark_catalog", "Made_Before").cursor()
    cursor.execute("select current_catalog() as c, current_schema() as s")
    assert cursor.fetchall() == [Row(c="spark_catalog", s="made_before")]
    assert statements == ["select current_catalog() as c, current_schema() as s"]


def test_hive_is_asked_once_for_the_schema_that_is_entered(spark: SparkSession) -> None:
    spark.sql("create schema if not exists asked_once")
    connection = SessionConnection(spark.newSession(), "spark_catalog", "asked_once")
    metrics = Jvm(spark).type("org.apache.spark.metrics.source.HiveCatalogMetrics")
    counts = [metrics.METRIC_HIVE_CLIENT_CALLS().getCount()]
    for _ in range(2):
        with connection.working("what asks nothing itself") as session:
            assert session.catalog.currentDatabase() == "asked_once"
        counts.append(metrics.METRIC_HIVE_CLIENT_CALLS().getCount())
    assert [count - counts[0] for count in counts] == [0, 1, 1]


def test_names_may_have_three_parts(connection: SessionConnection) -> None:
    cursor = connection.cursor()
    cursor.execute("create or replace table spark_catalog.default.three_parts as select 1 as id")
    cursor.execute("select * from spark_catalog.default.three_parts")
    assert cursor.fetchall() == [Row(id=1)]
