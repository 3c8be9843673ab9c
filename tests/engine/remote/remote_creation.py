"""Tables that a server makes while another writer makes them, too."""

from __future__ import annotations

import importlib
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import functions as F
from server_tables import COLUMNS, NEW, THERE, detail, ids, made_by_another, make, newest, sql

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.remote import defined_tables

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import DataFrame, SparkSession

# The package exports a function of this name.
write = importlib.import_module("dbt.adapters.deltaspark.engine.remote.write")

FIRST = "made by another writer first; nothing was written"


@pytest.fixture
def rival_after_the_check(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Lets another writer run a statement when ours has seen that there is no table."""

    def arrange(statement: str) -> None:
        check = write.is_there

        def checked(spark: SparkSession, name: str) -> bool:
            found: bool = check(spark, name)
            monkeypatch.undo()
            sql(spark, statement)
            return found

        monkeypatch.setattr(write, "is_there", checked)

    return arrange


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"replace_where": "id > 1"},
        {"replace_using": ["id"]},
        {"dynamic_partitions": True},
        {"columns": COLUMNS},
    ],
    ids=lambda given: next(iter(given), "whole"),
)
def test_a_table_that_another_writer_made_after_the_check_keeps_its_rows(
    target: engine.DeltaTarget,
    rival_after_the_check: Callable[[str], None],
    given: dict[str, Any],
) -> None:
    rival_after_the_check(f"CREATE TABLE {target.name} USING delta AS {THERE}")
    with pytest.raises(engine.EngineError, match=FIRST):
        engine.write(target.spark.sql(NEW), target, "overwrite", **given)
    assert (ids(target), newest(target)) == ([1, 2], 0)


def copying(spark: SparkSession, table: Path, place: Path) -> DataFrame:
    """A row that, as it is computed, puts the table into the place."""
    source, here = str(table), str(place)
    copied = F.udf(lambda it: shutil.copytree(source, here, dirs_exist_ok=True) and it, "int")
    return spark.range(3, 4, 1, 1).select(copied("id").alias("id"))


@pytest.fixture
def theirs(small: SparkSession, tmp_path: Path) -> Path:
    folder = tmp_path / "theirs"
    sql(small, f"CREATE TABLE delta.`{folder}` USING delta AS {THERE}")
    return folder


def test_a_table_that_another_writer_commits_before_ours_keeps_its_rows(
    target: engine.DeltaTarget, tmp_path: Path, theirs: Path
) -> None:
    here = tmp_path / "here"
    rows = copying(target.spark, theirs, here)
    with pytest.raises(engine.EngineError, match=FIRST):
        engine.write(rows, target, "overwrite", properties={"location": str(here)})
    assert ids(engine.DeltaTarget.for_path(target.spark, str(here))) == [1, 2]
    assert not target.spark.catalog.tableExists(target.name)


def test_a_table_that_is_to_be_replaced_whole_is_so_whoever_made_it(
    target: engine.DeltaTarget, tmp_path: Path, theirs: Path
) -> None:
    here = tmp_path / "here"
    rows = copying(target.spark, theirs, here)
    make(target, rows, columns={}, properties={"location": str(here)})
    assert ids(target) == [3]


@pytest.mark.parametrize("columns", [{}, COLUMNS])
def test_a_table_that_nobody_registered_is_not_overwritten(
    target: engine.DeltaTarget, theirs: Path, columns: dict[str, str]
) -> None:
    given: dict[str, Any] = {"columns": columns, "properties": {"location": str(theirs)}}
    with pytest.raises(Exception, match=f"{theirs}.* already|NON_EMPTY_LOCATION"):
        engine.write(target.spark.sql(NEW), target, "overwrite", **given)
    assert ids(engine.DeltaTarget.for_path(target.spark, str(theirs))) == [1, 2]
    assert not target.spark.catalog.tableExists(target.name)


def test_a_table_that_another_writer_made_in_the_location_keeps_its_rows(
    target: engine.DeltaTarget, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns, rows = made_by_another(engine.DeltaTarget.for_path(target.spark, str(tmp_path)))

    def too_early(*_: object) -> bool:
        sql(target.spark, columns)
        sql(target.spark, rows)
        return False

    monkeypatch.setattr(defined_tables, "_register", too_early)
    given: dict[str, Any] = {"columns": COLUMNS, "properties": {"location": str(tmp_path)}}
    with pytest.raises(engine.EngineError, match=FIRST):
        engine.write(target.spark.sql(NEW), target, "overwrite", **given)
    assert (ids(target), newest(target)) == ([1, 2], 1)


def test_a_new_table_is_overwritten_as_it_is(target: engine.DeltaTarget) -> None:
    what: dict[str, Any] = {"partition_by": ["v"], "properties": {"team": "ours"}}
    for rows in (THERE, NEW):
        engine.write(target.spark.sql(rows), target, "overwrite", **what)
    assert (ids(target), newest(target)) == ([3, 4], 1)
    assert detail(target).properties["team"] == "ours"
