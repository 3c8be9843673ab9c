"""Tables with definitions of their columns that a server makes: whole, or as they were before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from pyspark.errors import PySparkException
from pyspark.sql.connect.dataframe import DataFrame
from server_tables import NEW, THERE, detail, ids, made_by_another, make, make_and_fail, newest, sql

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta.command_rules import IDEMPOTENT
from dbt.adapters.deltaspark.engine.remote import defined_tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_key_that_is_in_the_log_leaves_a_table_with_defined_columns_alone(
    target: engine.DeltaTarget,
) -> None:
    make(target, THERE, idempotency_key="k")
    version = newest(target)
    again = make(target, NEW, idempotency_key="k")
    assert (again.version, again.route, ids(target), newest(target)) == (
        None,
        "no_op",
        [1, 2],
        version,
    )


def test_a_key_that_came_into_the_log_with_rows_after_ours_leaves_those(
    there: engine.DeltaTarget, between: Callable[..., None]
) -> None:
    with_key = (f"SET {IDEMPOTENT}.txnAppId = k", f"SET {IDEMPOTENT}.txnVersion = 1")
    between(*with_key, *made_by_another(there))
    result = make(there, NEW, idempotency_key="k")
    assert (result.version, result.route) == (None, "no_op")
    assert ids(there) == [1, 2]


def test_a_key_that_came_into_the_log_before_the_table_is_made_anew_brings_its_rows_back(
    target: engine.DeltaTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(target, THERE, idempotency_key="k")
    asked, too_early = defined_tables.has_been_executed, [False]
    monkeypatch.setattr(
        defined_tables,
        "has_been_executed",
        lambda *given: too_early.pop() if too_early else asked(*given),
    )
    result = make(target, NEW, idempotency_key="k")
    assert (result.version, result.route, ids(target)) == (None, "no_op", [1, 2])


def test_a_table_with_defined_columns_is_made_of_its_own_rows(there: engine.DeltaTarget) -> None:
    own = there.spark.table(there.name).where("id > 1").union(there.spark.sql(NEW))
    make(there, own)
    assert ids(there) == [2, 3, 4]


def test_a_table_that_nobody_registered_is_replaced_and_not_added_to(
    target: engine.DeltaTarget, tmp_path: Path
) -> None:
    place = {"properties": {"location": str(tmp_path / "here")}}
    make(target, THERE, **place)
    sql(target.spark, f"DROP TABLE {target.name}")
    make(target, NEW, **place)
    assert ids(target) == [3, 4]


def test_a_table_of_another_definition_that_nobody_registered_is_replaced(
    target: engine.DeltaTarget, tmp_path: Path
) -> None:
    place = {"properties": {"location": str(tmp_path / "here")}}
    make(target, "SELECT 'x' AS other", columns={}, **place)
    sql(target.spark, f"DROP TABLE {target.name}")
    make(target, NEW, **place)
    assert ids(target) == [3, 4]


def test_a_table_that_nobody_registered_is_as_it_was_after_an_error(
    target: engine.DeltaTarget, tmp_path: Path
) -> None:
    folder = str(tmp_path / "here")
    place = {"properties": {"location": folder}}
    make(target, THERE, **place)
    sql(target.spark, f"DROP TABLE {target.name}")
    assert make_and_fail(target, **place) == []
    assert not target.spark.catalog.tableExists(target.name)
    assert ids(engine.DeltaTarget.for_path(target.spark, folder)) == [1, 2]


def test_a_table_that_nobody_registered_is_not_appended_to(
    target: engine.DeltaTarget, tmp_path: Path
) -> None:
    folder = str(tmp_path / "here")
    place = {"properties": {"location": folder}}
    make(target, THERE, **place)
    sql(target.spark, f"DROP TABLE {target.name}")
    with pytest.raises(engine.EngineError, match="a Delta table is there already"):
        make(target, NEW, mode="append", overwrite_schema=False, **place)
    assert not target.spark.catalog.tableExists(target.name)
    assert ids(engine.DeltaTarget.for_path(target.spark, folder)) == [1, 2]


def test_after_an_error_a_table_is_as_it_was(there: engine.DeltaTarget) -> None:
    assert make_and_fail(there, columns={"id": "NOT NULL", "v": "NOT NULL"}) == []
    assert ids(there) == [1, 2]


def test_after_an_error_a_new_table_is_not_there(target: engine.DeltaTarget) -> None:
    assert make_and_fail(target) == []
    assert not target.spark.catalog.tableExists(target.name)


def test_rows_that_cannot_be_computed_leave_a_table_untouched(there: engine.DeltaTarget) -> None:
    version = newest(there)
    with pytest.raises(PySparkException, match="told to fail"):
        make(there, "SELECT raise_error('told to fail') AS id")
    assert (ids(there), newest(there)) == ([1, 2], version)


def test_an_error_takes_no_rows_of_another_writer_back(
    there: engine.DeltaTarget, between: Callable[..., None]
) -> None:
    between(f"INSERT INTO {there.name} VALUES (7, 'r')")
    (note,) = make_and_fail(there)
    assert "another commit came after it" in note
    assert f"TO VERSION AS OF {newest(there) - 2}" in note
    assert ids(there) == [7]


def test_an_error_drops_no_table_that_another_writer_made(
    target: engine.DeltaTarget, between: Callable[..., None]
) -> None:
    between(*made_by_another(target))
    (note,) = make_and_fail(target)
    assert "another commit came after it" in note
    assert ids(target) == [1, 2]


def test_two_that_make_one_table_leave_the_rows_of_one(
    target: engine.DeltaTarget,
    between: Callable[..., None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    between(*made_by_another(target))
    make(target, NEW)
    assert ids(target) == [3, 4]
    assert "was defined in version 0 and got its rows in version 3" in caplog.text


def test_a_table_with_defined_columns_is_clustered(target: engine.DeltaTarget) -> None:
    make(target, THERE, cluster_by=["id"])
    assert detail(target).clusteringColumns == ["id"]


def test_names_of_fields_are_quoted_where_columns_are_defined(target: engine.DeltaTarget) -> None:
    rows = target.spark.sql(
        "SELECT 1 AS id, named_struct('a b', 1) AS s, array(named_struct('c`d', 1)) AS l,"
        " map('k', named_struct('e,f', 1)) AS m"
    )
    make(target, rows, properties={"delta.columnMapping.mode": "name"})
    expected = [field.dataType.simpleString() for field in rows.schema]
    assert [field.dataType.simpleString() for field in target.schema()] == expected


def test_a_table_with_defined_columns_may_have_no_rows(there: engine.DeltaTarget) -> None:
    for _ in range(2):
        result = make(there, f"{NEW} WHERE id < 0", idempotency_key="k")
        assert (ids(there), there.schema()["id"].nullable) == ([], False)
    assert (result.version, result.route) in [(newest(there), "native"), (None, "no_op")]


def test_an_append_only_table_with_defined_columns_gets_its_rows(
    target: engine.DeltaTarget,
) -> None:
    make(target, NEW, properties={"delta.appendOnly": "true"})
    assert ids(target) == [3, 4]


@pytest.fixture
def making_fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Lets the first of the two commits be made, and raises the error then."""

    def arrange(error: BaseException) -> None:
        statement, collect = defined_tables.without_rows, DataFrame.collect

        def failed(frame: DataFrame) -> list[Any]:
            monkeypatch.setattr(DataFrame, "collect", collect)
            collect(frame)
            raise error

        def making(*given: Any) -> str:
            monkeypatch.setattr(DataFrame, "collect", failed)
            return statement(*given)

        monkeypatch.setattr(defined_tables, "without_rows", making)

    return arrange


@pytest.mark.parametrize("note", [None, "nightly"])
def test_a_table_whose_making_failed_after_its_commit_gets_its_rows(
    there: engine.DeltaTarget, making_fails: Callable[[BaseException], None], note: str | None
) -> None:
    making_fails(PySparkException("the answer got lost"))
    result = make(there, NEW, user_metadata=note)
    assert (result.version, ids(there)) == (newest(there), [3, 4])
    (last,) = sql(there.spark, f"DESCRIBE HISTORY {there.name} LIMIT 1")
    assert note is None or last.userMetadata == note


@pytest.mark.parametrize("note", [None, "nightly"])
def test_a_table_whose_making_is_interrupted_after_its_commit_is_as_it_was(
    there: engine.DeltaTarget, making_fails: Callable[[BaseException], None], note: str | None
) -> None:
    making_fails(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt) as raised:
        make(there, NEW, user_metadata=note)
    assert ids(there) == [1, 2]
    assert getattr(raised.value, "__notes__", []) == []


def test_a_new_table_whose_making_is_interrupted_after_its_commit_is_not_there(
    target: engine.DeltaTarget, making_fails: Callable[[BaseException], None]
) -> None:
    making_fails(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        make(target, NEW)
    assert not target.spark.catalog.tableExists(target.name)


def test_a_table_whose_making_is_interrupted_before_its_commit_is_as_it_was(
    there: engine.DeltaTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    version = newest(there)
    monkeypatch.setattr(defined_tables, "without_rows", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make(there, NEW)
    assert (ids(there), newest(there)) == ([1, 2], version)
