"""What a table is, put back where the block fails, and with other writers at work."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from altering import (
    BlockError,
    alter,
    detail,
    fail,
    insert,
    kept,
    notes,
    operation,
    refused,
    rows_of,
)
from commits import latest_version
from pyspark.errors import PySparkException

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine import TableDefinition
from dbt.adapters.deltaspark.engine.delta.transactions import Transaction

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


def test_a_block_that_fails_puts_everything_back(target: engine.DeltaTarget, path: Path) -> None:
    before = (detail(target)["properties"], target.schema(), rows_of(target))
    error = fail(
        target,
        properties=(("team", "theirs"), ("delta.appendOnly", "true")),
        comment="after",
        column_comments=(("v", "new"),),
        checks=(("positive", "id > -5"), ("small", "id < 100")),
        not_null=("id",),
        cluster_by=("id",),
    )
    assert notes(error) == [kept(target, "clustering, domainmetadata")]
    assert latest_version(path) == 3
    assert (detail(target)["properties"], target.schema(), rows_of(target)) == before
    assert (detail(target)["description"], detail(target)["clusteringColumns"]) == ("before", [])
    insert(target, "(1000, 'z', 1)")
    name, parameters = operation(path, 3)
    assert name == "SET TBLPROPERTIES"
    told = json.loads(parameters["properties"])
    assert (told["undone"], told["property team"]) == ("version 2", "theirs -> ours")


def test_a_clustering_by_a_field_comes_back_and_keeps_its_struct(
    small: SparkSession, tmp_path: Path
) -> None:
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "clustered"))
    columns = "id INT, address STRUCT<city: STRING>, `a.b` INT"
    small.sql(f"CREATE TABLE {target.name} ({columns}) USING delta CLUSTER BY (`a.b`)")
    assert alter(target, cluster_by=("a.b",)) == engine.Alteration(None, ())
    small.sql(f"ALTER TABLE {target.name} CLUSTER BY (address.city, `a.b`)")
    assert notes(fail(target, cluster_by=("id",))) == []
    assert detail(target)["clusteringColumns"] == ["address.city", "`a.b`"]
    refused(target, ["clustered by address, which cannot be dropped"], dropped=("address",))
    alter(target, dropped=("address",), cluster_by=("id",))
    assert (target.schema().names, detail(target)["clusteringColumns"]) == (["id", "a.b"], ["id"])


def test_a_dropped_column_comes_back_with_its_values(
    target: engine.DeltaTarget, path: Path
) -> None:
    rows = rows_of(target)
    error = fail(target, dropped=("w",), comment="after")
    assert notes(error) == [kept(target, "columnmapping")]
    assert latest_version(path) == 4
    assert rows_of(target) == rows
    assert json.loads(operation(path, 4)[1]["properties"]) == {
        "undone": "version 3",
        "comment": "after -> before",
        "column w": "dropped -> there",
    }
    assert detail(target)["properties"]["delta.columnMapping.mode"] == "name"
    assert detail(target)["description"] == "before"


def test_column_mapping_alone_is_not_undone(target: engine.DeltaTarget, path: Path) -> None:
    rows = rows_of(target)
    error = fail(target, properties=(("delta.columnMapping.mode", "name"),))
    assert notes(error) == [kept(target, "columnmapping")]
    assert (latest_version(path), rows_of(target)) == (2, rows)


def test_column_mapping_that_is_asked_for_comes_first_and_stays(
    target: engine.DeltaTarget, path: Path
) -> None:
    rows = rows_of(target)
    error = fail(target, properties=(("delta.columnMapping.mode", "name"), ("a", "b")), comment="x")
    assert notes(error) == [kept(target, "columnmapping")]
    assert (latest_version(path), rows_of(target)) == (4, rows)
    insert(target, "(3, 'c', 3)")
    assert rows_of(target) == [*rows, (3, "c", 3)]


def test_nothing_was_changed_so_nothing_is_undone(target: engine.DeltaTarget, path: Path) -> None:
    assert notes(fail(target, comment="before")) == []
    assert latest_version(path) == 1


def test_what_the_block_wrote_stays_when_the_definition_is_put_back(
    target: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(BlockError), engine.altered(target, TableDefinition(comment="x")):
        insert(target, "(3, 'c', 3)")
        raise BlockError
    assert latest_version(path) == 4
    assert (detail(target)["description"], len(rows_of(target))) == ("before", 3)


def test_a_check_is_not_put_back_over_rows_that_break_it(
    target: engine.DeltaTarget, path: Path
) -> None:
    with (
        pytest.raises(BlockError) as raised,
        engine.altered(target, TableDefinition(checks=(("positive", "id > -5"),))),
    ):
        insert(target, "(-1, 'c', 3)")
        raise BlockError
    assert latest_version(path) == 3
    (note,) = notes(raised.value)
    assert "stays as it was changed in version 2 (check Positive: id > 0 -> id > -5)" in note
    assert "CHECK Positive (id > 0): 1 rows" in note


def test_a_not_null_column_does_not_come_back_over_rows_without_it(
    target: engine.DeltaTarget, path: Path
) -> None:
    alter(target, not_null=("v",))
    with (
        pytest.raises(BlockError) as raised,
        engine.altered(target, TableDefinition(dropped=("v",))),
    ):
        insert(target, "(3, 3)")
        raise BlockError
    (note,) = notes(raised.value)
    assert "NOT NULL v: 3 rows" in note
    assert (target.schema().names, latest_version(path)) == (["id", "w"], 5)


def test_a_definition_that_another_writer_changed_is_left_alone(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    with (
        pytest.raises(BlockError) as raised,
        engine.altered(target, TableDefinition(comment="after")),
    ):
        small.sql(f"ALTER TABLE {target.name} SET TBLPROPERTIES ('team' = 'rival')")
        raise BlockError
    assert latest_version(path) == 3
    assert detail(target)["description"] == "after"
    (note,) = notes(raised.value)
    assert note.endswith("Another writer changed it meanwhile.")
    assert "(comment: before -> after)" in note


def test_a_change_that_came_right_after_ours_is_not_taken_back(
    small: SparkSession, target: engine.DeltaTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Transaction.commit

    def followed(self: Transaction, *arguments: Any) -> int | None:
        monkeypatch.setattr(Transaction, "commit", commit)
        version = commit(self, *arguments)
        small.sql(f"ALTER TABLE {target.name} SET TBLPROPERTIES ('team' = 'rival')")
        return version

    monkeypatch.setattr(Transaction, "commit", followed)
    assert "(comment: before -> after)" in notes(fail(target, comment="after"))[0]
    assert detail(target)["properties"]["team"] == "rival"


def test_a_check_is_not_put_back_over_rows_that_come_beside_it(
    target: engine.DeltaTarget, path: Path, before_our_commit: Any
) -> None:
    with (
        pytest.raises(BlockError) as raised,
        engine.altered(target, TableDefinition(checks=(("positive", "id > -5"),))),
    ):
        before_our_commit(f"INSERT INTO {target.name} VALUES (-1, 'rival', 3)")
        raise BlockError
    assert "CHECK Positive (id > 0): 1 rows" in notes(raised.value)[0]
    assert detail(target)["properties"]["delta.constraints.Positive"] == "id > -5"


def test_nothing_is_said_to_stay_of_a_table_that_another_writer_replaced(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    definition = TableDefinition(checks=(("few", "id < 9"),), comment="after")
    with pytest.raises(BlockError) as raised, engine.altered(target, definition):
        replaced = f"CREATE OR REPLACE TABLE {target.name} USING delta COMMENT 'after'"
        small.sql(f"{replaced} AS SELECT 1 AS id")
        raise BlockError
    (note,) = notes(raised.value)
    assert "(comment: before -> after)" in note
    assert detail(target)["properties"].keys() == set()


def test_an_undo_that_fails_does_not_hide_the_error(
    small: SparkSession, target: engine.DeltaTarget, path: Path
) -> None:
    import shutil

    with (
        pytest.raises(BlockError) as raised,
        engine.altered(target, TableDefinition(comment="after")),
    ):
        shutil.rmtree(path)
        raise BlockError
    (note,) = notes(raised.value)
    assert "Putting it back failed" in note


def test_identity_columns_that_counted_on_do_not_hinder_the_undo(
    small: SparkSession, tmp_path: Path
) -> None:
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "identity"))
    small.sql(
        f"CREATE TABLE {target.name} (k BIGINT GENERATED ALWAYS AS IDENTITY, v INT) USING delta"
    )
    write = f"INSERT INTO {target.name} (v) VALUES (1)"
    with pytest.raises(BlockError), engine.altered(target, TableDefinition(comment="x")):
        small.sql(write)
        raise BlockError
    assert not detail(target)["description"]
    small.sql(write)
    assert len({row[0] for row in rows_of(target)}) == 2


def test_rows_that_came_first_are_checked_too(
    target: engine.DeltaTarget, path: Path, before_our_commit: Any
) -> None:
    before_our_commit(f"INSERT INTO {target.name} VALUES (700, 'r', 1)")
    refused(target, ["CHECK small (id < 100): 1 rows", "id = 700"], checks=(("small", "id < 100"),))
    assert latest_version(path) == 2


def test_a_change_after_another_writer_s_change_of_the_definition_is_replayed(
    target: engine.DeltaTarget, path: Path, before_our_commit: Any
) -> None:
    before_our_commit(f"ALTER TABLE {target.name} SET TBLPROPERTIES ('team' = 'rival')")
    assert alter(target, properties=(("a", "b"),)).version == 3
    properties = detail(target)["properties"]
    assert (properties["team"], properties["a"]) == ("rival", "b")


@pytest.fixture
def clustered(small: SparkSession, tmp_path: Path) -> engine.DeltaTarget:
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "clustered"))
    small.sql(f"CREATE TABLE {target.name} (a INT, b INT, c INT) USING delta CLUSTER BY (a)")
    return target


def test_a_clustering_that_came_before_ours_comes_back(
    clustered: engine.DeltaTarget, before_our_commit: Any
) -> None:
    before_our_commit(f"ALTER TABLE {clustered.name} CLUSTER BY (c)")
    assert notes(fail(clustered, cluster_by=("b",))) == []
    assert detail(clustered)["clusteringColumns"] == ["c"]


def test_a_clustering_is_not_put_on_top_of_another_that_came_first(
    clustered: engine.DeltaTarget, before_our_commit: Any
) -> None:
    before_our_commit(f"ALTER TABLE {clustered.name} CLUSTER BY (c)")
    definition = TableDefinition(cluster_by=("b",))
    with (
        pytest.raises(PySparkException, match="conflicting metadata domain delta.clustering"),
        engine.altered(clustered, definition, conflict_retries=0),
    ):
        pass
    assert detail(clustered)["clusteringColumns"] == ["c"]


def test_a_clustering_that_came_before_the_undo_stays(
    clustered: engine.DeltaTarget, before_our_commit: Any
) -> None:
    definition = TableDefinition(cluster_by=("b",))
    with pytest.raises(BlockError) as raised, engine.altered(clustered, definition):
        before_our_commit(f"ALTER TABLE {clustered.name} CLUSTER BY (c)")
        raise BlockError
    assert notes(raised.value) == []
    assert detail(clustered)["clusteringColumns"] == ["c"]
