"""Tables whose definition a Spark Connect server alters, and puts back where the block fails."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from altering import alter, detail, fail, insert, notes, rows_of
from pyspark.errors import PySparkException
from pyspark.sql.connect.dataframe import DataFrame

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine import TableDefinition
from dbt.adapters.deltaspark.engine.delta import cloned
from dbt.adapters.deltaspark.engine.errors import SpecError
from dbt.adapters.deltaspark.engine.remote import definition
from dbt.adapters.deltaspark.session import SessionConnection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.engine.definition import Change

FEED = "delta.enableChangeDataFeed"
SECRET = "https://here/?token=1"


@pytest.fixture
def target(small: SparkSession) -> Iterator[engine.DeltaTarget]:
    name = f"default.t_{uuid.uuid4().hex}"
    small.sql(
        f"CREATE TABLE {name} (id INT COMMENT 'old', page_url STRING) USING delta COMMENT 'before'"
        f" TBLPROPERTIES ('{FEED}' = 'true', 'source_url' = '{SECRET}',"
        " 'delta.constraints.url_ok' = 'page_url is not null',"
        " 'delta.constraints.positive' = 'id > 0')"
    ).collect()
    small.sql(f"INSERT INTO {name} VALUES (1, 'a'), (2, 'b')").collect()
    yield engine.DeltaTarget.for_name(small, name)
    small.sql(f"DROP TABLE IF EXISTS {name}").collect()


def newest(target: engine.DeltaTarget) -> int:
    return int(target.spark.sql(f"DESCRIBE HISTORY {target.name} LIMIT 1").collect()[0].version)


def rival(target: engine.DeltaTarget, change: str) -> None:
    target.spark.sql(f"ALTER TABLE {target.name} {change}").collect()


def test_a_check_of_the_same_name_is_replaced(target: engine.DeltaTarget) -> None:
    done = alter(target, checks=(("positive", "id > -5"),))
    assert done.changes == ("check positive: id > 0 -> id > -5",)
    insert(target, "(-1, 'c')")
    with pytest.raises(PySparkException, match="CHECK constraint positive"):
        insert(target, "(-9, 'c')")


def test_a_check_that_rows_break_leaves_the_one_before(target: engine.DeltaTarget) -> None:
    with pytest.raises(PySparkException, match="id > 1"):
        alter(target, checks=(("positive", "id > 1"),))
    assert detail(target)["properties"]["delta.constraints.positive"] == "id > 0"


def test_a_replaced_check_comes_back(target: engine.DeltaTarget) -> None:
    before = detail(target)["properties"]
    assert notes(fail(target, checks=(("positive", "id > -5"),))) == []
    assert detail(target)["properties"] == before


def test_what_is_as_it_should_be_is_no_commit(target: engine.DeltaTarget) -> None:
    done = alter(
        target,
        checks=(("url_ok", "page_url is not null"),),
        properties=(("source_url", SECRET), (FEED.lower(), "true")),
        comment="before",
    )
    assert (done.version, done.changes, newest(target)) == (None, (), 1)


@pytest.mark.parametrize(
    "condition",
    [
        "length(page_url)<9 and  page_url != 'a  b'",
        "id>0 -- it's\n and  page_url<>'a  b' /* a /* 'b */ c */",
        r"page_url<>r'\' and  page_url <> 'a  b'",
        "page_url<>'it''s' and  page_url <> 'a' ' b'",
    ],
)
def test_a_check_that_was_added_is_as_it_should_be(
    target: engine.DeltaTarget, condition: str
) -> None:
    check = ("short", condition)
    alter(target, checks=(check,))
    done = alter(target, checks=(check,))
    assert (done.changes, newest(target)) == ((), 2)


def test_a_check_that_differs_behind_a_raw_text_is_replaced(target: engine.DeltaTarget) -> None:
    alter(target, checks=(("short", r"page_url <> r'\' and page_url <> 'x  y'"),))
    alter(target, checks=(("short", r"page_url <> r'\' and page_url <> 'x y'"),))
    insert(target, "(3, 'x  y')")
    with pytest.raises(PySparkException, match="CHECK constraint short"):
        insert(target, "(4, 'x y')")


@pytest.mark.parametrize(
    ("versions", "commits"), [(("2", "6"), 1), (("1", "5"), 0), (("3", "7"), 0)]
)
def test_versions_are_one_commit_and_none_where_delta_keeps_weaker_ones(
    target: engine.DeltaTarget, versions: tuple[str, str], commits: int
) -> None:
    keys = ("delta.minReaderVersion", "delta.minWriterVersion")
    asked = tuple(zip(keys, versions, strict=True))
    before = newest(target)
    alter(target, properties=asked)
    assert newest(target) == before + commits
    assert alter(target, properties=asked) == engine.Alteration(None, ())


def test_a_clustering_by_a_field_or_a_dotted_name_is_compared_and_put_back(
    target: engine.DeltaTarget,
) -> None:
    columns = "id INT, address STRUCT<city: STRING>, `a.b` INT"
    target.spark.sql(
        f"CREATE OR REPLACE TABLE {target.name} ({columns}) USING delta CLUSTER BY (`a.b`)"
    ).collect()
    assert alter(target, cluster_by=("a.b",)) == engine.Alteration(None, ())
    rival(target, "CLUSTER BY (address.city, `a.b`)")
    assert notes(fail(target, cluster_by=("id",))) == []
    assert detail(target)["clusteringColumns"] == ["address.city", "`a.b`"]
    with pytest.raises(SpecError, match="clustered by address, which cannot be dropped"):
        alter(target, dropped=("address",))


def test_what_may_be_a_secret_comes_back_as_it_was(target: engine.DeltaTarget) -> None:
    before = detail(target)["properties"]
    given = (("source_url", "https://there"), (FEED.lower(), "false"), ("DELTA.appendonly", "true"))
    assert notes(fail(target, properties=given, checks=(("url_ok", "page_url > ''"),))) == []
    assert detail(target)["properties"] == before


@pytest.mark.parametrize(
    ("definition", "change", "kept"),
    [
        ({"properties": (("team", "ours"),)}, "SET TBLPROPERTIES ('team' = 'r')", ("team", "r")),
        (
            {"checks": (("positive", "id > -5"),)},
            "DROP CONSTRAINT positive",
            ("delta.constraints.positive", None),
        ),
    ],
)
def test_what_another_writer_changed_since_stays(
    target: engine.DeltaTarget,
    definition: dict[str, Any],
    change: str,
    kept: tuple[str, str | None],
) -> None:
    with (
        pytest.raises(ZeroDivisionError) as raised,
        engine.altered(target, TableDefinition(**definition, comment="ours")),
    ):
        rival(target, change)
        raise ZeroDivisionError
    (note,) = notes(raised.value)
    assert "another writer changed it since" in note
    assert detail(target)["properties"].get(kept[0]) == kept[1]
    assert detail(target)["description"] == "before"


def test_a_dropped_column_does_not_come_back_over_rows_of_another_writer(
    target: engine.DeltaTarget,
) -> None:
    rival(target, "ADD COLUMN w INT")
    with (
        pytest.raises(ZeroDivisionError) as raised,
        engine.altered(target, TableDefinition(dropped=("w",))),
    ):
        insert(target, "(3, 'c')")
        raise ZeroDivisionError
    (note,) = notes(raised.value)
    assert "another commit came after it" in note
    assert rows_of(target) == [(1, "a"), (2, "b"), (3, "c")]


@pytest.fixture
def strict(target: engine.DeltaTarget) -> engine.DeltaTarget:
    """With columns that are NOT NULL."""
    target.spark.sql(
        f"CREATE OR REPLACE TABLE {target.name} (id INT NOT NULL, v STRING NOT NULL) USING delta"
    ).collect()
    insert(target, "(1, 'a'), (2, 'b')")
    return target


LOOSER: dict[str, Any] = {
    "properties": (("team", "ours"),),
    "comment": "ours",
    "checks": (("positive", "id > 0"),),
    "only_constraints": True,
}


def test_a_not_null_that_was_dropped_comes_back_with_all_that_was_changed_beside_it(
    strict: engine.DeltaTarget,
) -> None:
    assert notes(fail(strict, **LOOSER, cluster_by=("id",))) == []
    now = detail(strict)
    assert [field.nullable for field in strict.schema()] == [False, False]
    assert (now["description"], now["clusteringColumns"]) == ("", [])
    assert {"team", "delta.constraints.positive"}.isdisjoint(now["properties"])
    assert rows_of(strict) == [(1, "a"), (2, "b")]


def test_what_is_beside_a_not_null_that_has_to_stay_dropped_comes_back(
    strict: engine.DeltaTarget,
) -> None:
    with (
        pytest.raises(ZeroDivisionError) as raised,
        engine.altered(strict, TableDefinition(**LOOSER)),
    ):
        insert(strict, "(3, null)")
        raise ZeroDivisionError
    (note,) = notes(raised.value)
    assert "not null id: true -> false: another commit came after it" in note
    assert [field.nullable for field in strict.schema()] == [True, True]
    now = detail(strict)
    assert now["description"] == ""
    assert {"team", "delta.constraints.positive"}.isdisjoint(now["properties"])
    assert rows_of(strict)[-1] == (3, None)


@pytest.fixture
def fails_after(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets a statement that has these words run to its end, and then fail."""
    collect = DataFrame.collect

    def arrange(words: str) -> None:
        statement, waiting = definition._statement, [words]

        def chosen(table: str, change: Change, *more: Any) -> str:
            text = statement(table, change, *more)
            if waiting and words in text:
                waiting.clear()
                monkeypatch.setattr(DataFrame, "collect", once)
            return text

        def once(frame: DataFrame) -> list[Any]:
            monkeypatch.setattr(DataFrame, "collect", collect)
            collect(frame)
            raise ZeroDivisionError

        monkeypatch.setattr(definition, "_statement", chosen)

    return arrange


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ("COMMENT ON", {"comment": "ours"}),
        ("ADD CONSTRAINT", {"checks": (("positive", "id > -5"),)}),
        ("DROP COLUMN", {"dropped": ("page_url",)}),
    ],
    ids=["comment", "check", "column"],
)
def test_a_change_whose_statement_fails_after_its_commit_is_taken_back(
    target: engine.DeltaTarget,
    fails_after: Callable[[str], None],
    words: str,
    changes: dict[str, Any],
) -> None:
    rival(target, "DROP CONSTRAINT url_ok")
    rows, before = rows_of(target), detail(target)
    fails_after(words)
    with pytest.raises(ZeroDivisionError) as raised:
        alter(target, **changes)
    assert notes(raised.value) == []
    now = detail(target)
    assert (now["description"], rows_of(target)) == (before["description"], rows)
    assert now["properties"].items() >= before["properties"].items()


def test_what_is_cancelled_is_put_back_while_the_cancel_goes_on(
    target: engine.DeltaTarget,
) -> None:
    connection = SessionConnection(cloned(target.spark), "spark_catalog", "default")
    with pytest.raises(PySparkException) as raised, connection.working("a model") as session:
        ours = engine.DeltaTarget.for_name(session, target.name)
        with engine.altered(ours, TableDefinition(comment="ours", properties=(("a", "b"),))):
            connection.cancel()
            session.range(10**13).selectExpr("max(hash(id))").collect()
    assert notes(raised.value) == []
    now = detail(target)
    assert (now["description"], now["properties"].get("a")) == ("before", None)
    connection.close()
