"""CREATE OR REPLACE VIEW leaves a view alone where Spark's own would make an equal one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import AnalysisException

from dbt.adapters.deltaspark.engine.delta import Jvm
from dbt.adapters.deltaspark.session.cursor import SessionConnection
from dbt.adapters.deltaspark.session.views import OF_THE_RUN, replaces_a_view

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VIEW = "create or replace view v.numbers"
PLAIN = f"{VIEW} as select id, id + 1 as next from v.t"
COMMENTED = (
    f"{VIEW} (a comment 'first', b) comment 'two' as with q as (select * from v.t) select * from q"
)

LEFT = {
    "the same text": (PLAIN, PLAIN),
    "another comment of the query": (f"/* a */ {PLAIN}", f"/* b */ -- c\n {PLAIN}"),
    "columns with comments, and a CTE": (COMMENTED, COMMENTED),
    "names with capitals": (f"{VIEW} as select id as Id from v.t",) * 2,
    "nested types": (f"{VIEW} as select struct(id, array(c) as Cs) as s from v.t",) * 2,
    "a char": (f"{VIEW} as select c from v.t",) * 2,
    "properties": (f"{VIEW} tblproperties (x = 'y') as select id from v.t",) * 2,
}
MADE_ANEW = {
    "another text": (PLAIN, f"{PLAIN} where id > 0"),
    "another comment": (PLAIN, PLAIN.replace(" as", " comment 'x' as", 1)),
    "a column's comment": (COMMENTED, COMMENTED.replace("first", "second")),
    "a column's name": (COMMENTED, COMMENTED.replace("b)", "B)")),
    "a property": (PLAIN, PLAIN.replace(" as", " tblproperties (x = 'y') as", 1)),
    "another way to take columns": (PLAIN, PLAIN.replace(" as", " with schema evolution as", 1)),
}
BETWEEN = {
    "another type of a column": "create or replace table v.t using delta as select 1.5 id, '' c",
    "another column of a star": "alter table v.t add column d int",
    "another comment of a column": "alter table v.t alter column id comment 'the key'",
    "another conf": "set spark.sql.ansi.enabled = false",
    "another time zone": "set time zone 'Asia/Tokyo'",
    "another schema": "use default",
    "a property set by hand": "alter view v.numbers set tblproperties (x = 'y')",
    "columns that were altered": "alter view v.numbers as select 1 as id",
    "a view in Spark's cache": "cache table v.numbers",
}


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    session = spark.newSession()
    session.sql("create schema v")
    session.sql("use v")
    session.sql(
        "create table v.t using delta as select id, cast('a' as char(3)) as c from range(3)"
    )
    yield session
    session.sql("clear cache")
    session.sql("drop schema v cascade")


@pytest.fixture
def ran(session: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], bool]:
    """Executes a statement as dbt does; whether Spark ran it."""
    runs: list[Any] = []
    frame = Jvm.frame
    monkeypatch.setattr(Jvm, "frame", lambda self, plan: runs.append(plan) or frame(self, plan))
    cursor = SessionConnection(session, "spark_catalog", "v").cursor()

    def run(sql: str) -> bool:
        before = len(runs)
        cursor.execute(sql)
        assert cursor.fetchall() == []
        return len(runs) > before

    return run


def described(session: SparkSession) -> dict[str, Any]:
    """All that the catalog has of the view, but when it was made."""
    state = session._jsparkSession.sessionState()
    view = state.catalog().getTableMetadata(state.sqlParser().parseTableIdentifier("v.numbers"))
    properties = view.properties().removedAll(Jvm(session).seq(OF_THE_RUN)).toSeq()
    return {
        "properties": sorted(properties.mkString("\n").split("\n")),
        "text": view.viewText().get(),
        "schema": view.schema().json(),
        "comment": view.comment().toString(),
    }


@pytest.mark.parametrize(("first", "second"), LEFT.values(), ids=LEFT)
def test_a_view_that_is_as_it_would_be_made_is_left_alone(
    ran: Callable[[str], bool], session: SparkSession, first: str, second: str
) -> None:
    assert ran(first)
    before = described(session)
    assert not ran(second)
    session.sql(second)
    assert described(session) == before


def test_hive_is_asked_once_for_a_view_beside_the_analysis_of_its_statement(
    ran: Callable[[str], bool], session: SparkSession
) -> None:
    jvm = Jvm(session)
    metrics = jvm.type("org.apache.spark.metrics.source.HiveCatalogMetrics")
    skip = jvm.module("org.apache.spark.sql.execution.CommandExecutionMode").SKIP()

    def calls(run: Callable[[], object]) -> int:
        before = metrics.METRIC_HIVE_CLIENT_CALLS().getCount()
        run()
        return int(metrics.METRIC_HIVE_CLIENT_CALLS().getCount() - before)

    def analyzed() -> None:
        state = jvm.session.sessionState()
        state.executePlan(state.sqlParser().parsePlan(PLAIN), skip).analyzed()

    assert ran(PLAIN)
    assert calls(lambda: ran(PLAIN)) == calls(analyzed) + 1


@pytest.mark.parametrize(("first", "second"), MADE_ANEW.values(), ids=MADE_ANEW)
def test_another_statement_makes_the_view_anew(
    ran: Callable[[str], bool], session: SparkSession, first: str, second: str
) -> None:
    assert ran(first)
    assert ran(second)
    found = described(session)
    session.sql(second)
    assert described(session) == found


@pytest.mark.share(3)
@pytest.mark.parametrize("between", BETWEEN.values(), ids=BETWEEN)
def test_the_same_text_makes_a_view_anew_where_it_means_something_else(
    ran: Callable[[str], bool], session: SparkSession, between: str
) -> None:
    statement = f"{VIEW} as select * from v.t"
    assert ran(statement)
    session.sql(between)
    assert ran(statement)
    found = described(session)
    session.sql(statement)
    assert described(session) == found


REFUSED = {
    "a temporary view": "create temporary view t as select 1 as id",
    "a temporary function": "create temporary function f(x bigint) returns bigint return x",
    "a table that is gone": "drop table v.t",
}


@pytest.mark.parametrize("between", REFUSED.values(), ids=REFUSED)
def test_what_spark_refuses_is_refused_though_the_text_is_the_same(
    ran: Callable[[str], bool], session: SparkSession, between: str
) -> None:
    statement = f"{VIEW} as select f(id) as id from t"
    session.sql("create function v.f(x bigint) returns bigint return x")
    assert ran(statement)
    session.sql(between)
    with pytest.raises(AnalysisException) as ours:
        ran(statement)
    with pytest.raises(AnalysisException) as sparks:
        session.sql(statement)
    assert ours.value.getCondition() == sparks.value.getCondition()


def test_a_list_of_columns_that_does_not_fit_is_sparks_error(ran: Callable[[str], bool]) -> None:
    statement = f"{VIEW} (a, b) as select id, c from v.t"
    assert ran(statement)
    with pytest.raises(AnalysisException, match="NOT_ENOUGH_DATA_COLUMNS|arity"):
        ran(statement.replace("id, c", "id"))


@pytest.mark.parametrize(
    "sql",
    [
        "create or replace view a as select 1",
        "CREATE  OR\nREPLACE VIEW a as select 1",
        '/* {"app": "dbt"} */\n-- hi\n create or replace view a as select 1',
    ],
)
def test_statements_that_replace_a_view(sql: str) -> None:
    assert replaces_a_view(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "create view a as select 1",
        "create or replace temporary view a as select 1",
        "select 'create or replace view a as select 1'",
        "-- create or replace view a as select 1",
        "/* create or replace view a */ select 1",
        "create or replace viewer",
    ],
)
def test_other_statements(sql: str) -> None:
    assert not replaces_a_view(sql)


BROKEN = f"tblproperties ('note' = '{'x' * 40_000}')"
"""More than Hive's TABLE_PARAMS takes in Derby."""


def test_a_view_whose_replacement_the_catalog_refuses_is_as_it_was(
    ran: Callable[[str], bool], session: SparkSession
) -> None:
    ran(COMMENTED)
    before = described(session)
    with pytest.raises(AnalysisException, match="TABLE_PARAMS"):
        ran(f"{VIEW} {BROKEN} as select 1 as one")
    assert described(session) == before
    assert session.table("v.numbers").columns == ["a", "b"]


def test_a_view_that_the_catalog_refuses_is_not_there(
    ran: Callable[[str], bool], session: SparkSession
) -> None:
    with pytest.raises(AnalysisException, match="TABLE_PARAMS"):
        ran(f"{VIEW} {BROKEN} as select 1 as one")
    assert not session.catalog.tableExists("v.numbers")


def test_a_view_whose_replacement_spark_refuses_is_as_it_was(
    ran: Callable[[str], bool], session: SparkSession
) -> None:
    ran(PLAIN)
    before = described(session)
    with pytest.raises(AnalysisException) as caught:
        ran(f"{VIEW} as select * from v.numbers")
    assert caught.value.getCondition() == "RECURSIVE_VIEW"
    assert not getattr(caught.value, "__notes__", [])
    assert described(session) == before


def test_a_loop_of_views_is_refused_and_both_are_as_they_were(
    ran: Callable[[str], bool], session: SparkSession
) -> None:
    session.sql("create view v.below as select 1 as id")
    text = f"{VIEW} as select * from v.below"
    ran(text)
    with pytest.raises(AnalysisException) as caught:
        ran("create or replace view v.below as select id from v.numbers")
    assert caught.value.getCondition() == "RECURSIVE_VIEW"
    assert not ran(text)


def test_a_view_that_cannot_come_back_is_told_with_its_text(
    ran: Callable[[str], bool], session: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(PLAIN)

    def dropped(jvm: Jvm, plan: object) -> None:
        session.sql("drop schema v cascade")
        raise AnalysisException("lost")

    monkeypatch.setattr(Jvm, "frame", dropped)
    with pytest.raises(AnalysisException) as caught:
        ran(f"{VIEW} as select 1 as one")
    session.sql("create schema v")
    (note,) = caught.value.__notes__
    assert note.startswith("The view v.numbers may be gone ([SCHEMA_NOT_FOUND]")
    assert note.endswith(f"It was:\n{PLAIN.partition(' as ')[2]}")


def test_a_view_takes_over_a_comment_of_any_length(
    ran: Callable[[str], bool], session: SparkSession
) -> None:
    """Where Hive refuses the columns, Spark has them in the view's properties alone."""
    ran(PLAIN)
    session.sql(f"alter table v.t alter column id comment '{'k' * 300}'")
    assert ran(f"{VIEW} as select * from v.t")
    assert session.table("v.numbers").schema["id"].metadata["comment"] == "k" * 300
    assert not ran(f"{VIEW} as select * from v.t")
