"""Rows do not go into a table that is no longer what it was made, or found to be, for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from altering import alter, detail, kept, notes, rows_of
from commits import latest_version

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine import TableDefinition

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

ROWS = "SELECT * FROM VALUES (3, 'c', 30) AS v(id, v, w)"


@pytest.mark.share(2)
@pytest.mark.parametrize(
    "definition",
    [
        {"properties": (("delta.enableChangeDataFeed", "true"),)},
        {"comment": "after"},
        {"column_comments": (("v", "after"),)},
        {"checks": (("small", "id < 100"),)},
        {"not_null": ("v",)},
    ],
    ids=lambda definition: next(iter(definition)),
)
def test_rows_do_not_go_into_a_table_whose_change_another_writer_took_back(
    small: SparkSession, target: engine.DeltaTarget, path: Path, definition: dict[str, Any]
) -> None:
    before = detail(target)
    with (
        pytest.raises(engine.EngineError, match="another writer took back what") as raised,
        engine.altered(target, TableDefinition(**definition)) as alteration,
    ):
        small.sql(f"RESTORE TABLE {target.name} TO VERSION AS OF 1")
        engine.write(small.sql(ROWS), target)
    assert all(change in str(raised.value) for change in alteration.changes)
    expected = [kept(target, "changedatafeed")] if "properties" in definition else []
    assert notes(raised.value) == expected
    assert latest_version(path) == 3
    assert detail(target)["properties"] == before["properties"]
    assert small.table(target.name).count() == 2


REPLACED = "CREATE OR REPLACE TABLE {table} USING delta AS SELECT 1 AS id, 'r' AS v, 1 AS w"


DROPPED = "ALTER TABLE {table} DROP CONSTRAINT few"
ANOTHER = "ALTER TABLE {table} ADD CONSTRAINT few CHECK (id < 9)"


@pytest.mark.parametrize(
    ("before", "rivals"),
    [
        ("id < 4", (DROPPED,)),
        ("id < 3", (DROPPED,)),
        (None, (DROPPED, ANOTHER)),
        (None, (REPLACED,)),
        ("id < 3", (REPLACED,)),
    ],
    ids=["changed, dropped", "found, dropped", "another", "replaced", "found, replaced"],
)
def test_rows_do_not_go_into_a_table_without_the_check_they_were_written_for(
    small: SparkSession,
    target: engine.DeltaTarget,
    path: Path,
    before: str | None,
    rivals: tuple[str, ...],
) -> None:
    if before is not None:
        alter(target, checks=(("few", before),))
    with (
        pytest.raises(engine.EngineError, match="check few"),
        engine.altered(target, TableDefinition(checks=(("few", "id < 3"),))),
    ):
        for rival in rivals:
            small.sql(rival.format(table=target.name))
        left = (rows_of(target), detail(target)["properties"], latest_version(path))
        engine.write(small.sql(ROWS), target)
    assert (rows_of(target), detail(target)["properties"], latest_version(path)) == left


def test_rows_do_not_go_into_a_table_that_was_dropped_and_made_anew(
    small: SparkSession, defined: engine.DeltaTarget
) -> None:
    small.sql(f"CREATE TABLE {defined.name} (id INT, v STRING, w INT) USING delta")
    with (
        pytest.raises(engine.EngineError, match="check positive"),
        engine.altered(defined, TableDefinition(checks=(("positive", "id > 0"),))),
    ):
        small.sql(f"DROP TABLE {defined.name}")
        small.sql(REPLACED.format(table=defined.name))
        engine.write(small.sql(ROWS.replace("(3,", "(-3,")), defined)
    assert rows_of(defined) == [(1, "r", 1)]


def test_delta_s_own_commands_do_not_write_what_another_writer_took_the_check_of_back(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    merge = f"MERGE INTO {target.name} t USING ({ROWS}) s ON t.id = s.id"
    merge += " WHEN NOT MATCHED THEN INSERT *"
    with (
        pytest.raises(engine.EngineError, match="check few"),
        engine.altered(target, TableDefinition(checks=(("few", "id < 3"),))),
    ):
        small.sql(f"ALTER TABLE {target.name} DROP CONSTRAINT few")
        engine.merge_into(small, merge, native=True)
    assert len(rows_of(target)) == 2


def test_another_writer_may_add_a_check_that_the_definition_does_not_have(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    checks = (("positive", "id > 0"),)
    with engine.altered(target, TableDefinition(checks=checks, only_constraints=True)):
        small.sql(f"ALTER TABLE {target.name} ADD CONSTRAINT few CHECK (id < 100)")
        assert engine.write(small.sql(ROWS), target).version == 3


def test_what_is_taken_back_of_one_table_does_not_hinder_another(
    small: SparkSession, target: engine.DeltaTarget, path: Path, tmp_path: Path
) -> None:
    other = engine.DeltaTarget.for_path(small, str(tmp_path / "other"))
    small.sql(f"CREATE TABLE {other.name} (id INT, v STRING, w INT) USING delta")
    with engine.altered(target, TableDefinition(comment="after")):
        small.sql(f"RESTORE TABLE {target.name} TO VERSION AS OF 1")
        assert engine.write(small.sql(ROWS), other).version == 1


def test_another_writer_may_change_something_else_meanwhile(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    with engine.altered(target, TableDefinition(comment="after")):
        small.sql(f"ALTER TABLE {target.name} SET TBLPROPERTIES ('team' = 'rival')")
        assert engine.write(small.sql(ROWS), target).version == 4
