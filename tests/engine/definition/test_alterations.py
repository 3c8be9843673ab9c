"""What a table is, changed in one commit: each kind of change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from altering import alter, comments, detail, fail, insert, operation, rows_of
from commits import commit_of, latest_version

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine import TableDefinition

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom


def test_properties_that_differ_are_set_and_others_stay(
    target: engine.DeltaTarget, path: Path
) -> None:
    made = alter(target, properties=(("team", "ours"), ("delta.APPENDonly", "true"), ("a", "b")))
    assert (made.version, latest_version(path)) == (2, 2)
    assert set(made.changes) == {"property delta.appendOnly: None -> true", "property a: None -> b"}
    assert operation(path, 2)[0] == "SET TBLPROPERTIES"
    assert json.loads(operation(path, 2)[1]["properties"]) == {"a": "b", "delta.appendOnly": "true"}
    assert detail(target)["properties"] == {
        "team": "ours",
        "a": "b",
        "delta.appendOnly": "true",
        "delta.constraints.Positive": "id > 0",
    }


def test_a_feature_is_added_to_the_protocol_once(target: engine.DeltaTarget, path: Path) -> None:
    features = (("delta.feature.deletionVectors", "supported"), ("delta.minReaderVersion", "1"))
    assert alter(target, properties=features).version == 2
    assert "deletionVectors" in detail(target)["tableFeatures"]
    assert alter(target, properties=features) == engine.Alteration(None, ())


@pytest.mark.parametrize(
    "key", ["delta.enableRowTracking", "delta.ENABLErowTracking", "delta.ignoreProtocolDefaults"]
)
def test_what_the_table_is_without_a_word_is_no_change(
    target: engine.DeltaTarget, path: Path, key: str
) -> None:
    value = "true" if "ignore" in key else "false"
    assert alter(target, properties=((key, value),)) == engine.Alteration(None, ())
    assert latest_version(path) == 1


@pytest.mark.parametrize("versions", [("1", "5"), ("3", "7"), ("1", "7")])
def test_versions_that_delta_keeps_as_weaker_ones_are_no_commit_twice(
    target: engine.DeltaTarget, path: Path, versions: tuple[str, str]
) -> None:
    keys = ("delta.minReaderVersion", "delta.minWriterVersion")
    asked = tuple(zip(keys, versions, strict=True))
    alter(target, properties=asked)
    version = latest_version(path)
    assert alter(target, properties=asked) == engine.Alteration(None, ())
    assert latest_version(path) == version


def with_property(table_from: TableFrom, folder: Path, said: str) -> Path:
    """A table of one row in two columns, in two versions."""
    return table_from(
        folder / "table",
        f"CREATE TABLE {{table}} (id INT, w INT) USING delta TBLPROPERTIES ({said})",
        "INSERT INTO {table} VALUES (1, 10)",
    )


def test_row_tracking_is_turned_off(
    small: SparkSession, tmp_path: Path, table_from: TableFrom
) -> None:
    path = with_property(table_from, tmp_path, "'delta.enableRowTracking' = 'true'")
    target = engine.DeltaTarget.for_path(small, str(path))
    assert alter(target, properties=(("delta.enableRowTracking", "TRUE"),)).version is None
    assert alter(target, properties=(("delta.enableRowTracking", "false"),)).version == 2
    insert(target, "(2, 20)")
    assert rows_of(target) == [(1, 10), (2, 20)]
    fail(target, properties=(("delta.enableRowTracking", "FALSE"), ("a", "b")))
    assert detail(target)["properties"]["delta.enableRowTracking"] == "false"


def test_of_a_table_whose_mapping_is_none_in_capitals_a_dropped_column_stays_dropped(
    small: SparkSession, tmp_path: Path, table_from: TableFrom
) -> None:
    path = with_property(table_from, tmp_path, "'delta.columnMapping.mode' = 'NONE'")
    target = engine.DeltaTarget.for_path(small, str(path))
    alter(target, dropped=("w",))
    assert detail(target)["properties"]["delta.columnMapping.mode"] == "name"
    small.sql(f"ALTER TABLE {target.name} ADD COLUMN w INT")
    assert rows_of(target) == [(1, None)]


def test_column_mapping_is_turned_on_where_it_is_off(target: engine.DeltaTarget) -> None:
    assert alter(target, maps_columns=True).changes == (
        "property delta.columnMapping.mode: None -> name",
    )
    assert alter(target, maps_columns=True) == engine.Alteration(None, ())


def test_constraints_that_are_not_given_are_dropped_where_these_are_all(
    target: engine.DeltaTarget, path: Path
) -> None:
    alter(target, not_null=("id", "v"))
    assert alter(target, not_null=("ID", "v"), only_constraints=True).changes == (
        "check Positive: id > 0 -> None",
    )
    assert operation(path, 3) == (
        "DROP CONSTRAINT",
        {"name": "Positive", "expr": "id > 0", "existed": "true"},
    )
    assert alter(target, not_null=("id",), only_constraints=True).changes == (
        "not null v: true -> false",
    )
    insert(target, "(0, NULL, 1)")
    assert alter(target, not_null=("id",), only_constraints=True).version is None


def test_dropped_constraints_come_back_where_the_block_fails(target: engine.DeltaTarget) -> None:
    alter(target, not_null=("id",))
    before = detail(target)["properties"]
    fail(target, only_constraints=True)
    assert detail(target)["properties"] == before
    assert [field.nullable for field in target.schema()] == [False, True, True]


def test_the_table_s_comment_is_changed_and_taken_away(
    target: engine.DeltaTarget, path: Path
) -> None:
    assert alter(target, comment="after").changes == ("comment: before -> after",)
    assert detail(target)["description"] == "after"
    assert operation(path, 2) == ("SET TBLPROPERTIES", {"properties": '{"comment":"after"}'})
    assert alter(target, comment="").changes == ("comment: after -> None",)
    assert not detail(target)["description"]
    assert alter(target, comment="").version is None


def test_comments_of_columns_are_changed_whatever_the_case(
    target: engine.DeltaTarget, path: Path
) -> None:
    made = alter(target, column_comments=(("ID", "the key"), ("v", "old"), ("W", "it's")))
    assert made.changes == (
        "comment of column id: None -> the key",
        "comment of column w: None -> it's",
    )
    assert comments(target) == {"id": "the key", "v": "old", "w": "it's"}
    assert operation(path, 2)[0] == "CHANGE COLUMNS"
    assert alter(target, column_comments=(("v", ""),)).version == 3
    assert operation(path, 3)[0] == "CHANGE COLUMN"
    assert comments(target) == {"id": "the key", "w": "it's"}


def test_a_check_is_added_and_replaced(target: engine.DeltaTarget, path: Path) -> None:
    made = alter(target, checks=(("Few", " w IS NULL OR w < 20 "), ("positive", "id > 0 ")))
    assert made.changes == ("check few: None -> w IS NULL OR w < 20",)
    assert operation(path, 2) == ("ADD CONSTRAINT", {"name": "few", "expr": "w IS NULL OR w < 20"})
    with pytest.raises(Exception, match="few"):
        insert(target, "(3, 'c', 20)")
    assert alter(target, checks=(("POSITIVE", "id > -1"),)).changes == (
        "check Positive: id > 0 -> id > -1",
    )
    insert(target, "(0, 'z', 1)")
    with pytest.raises(Exception, match="Positive"):
        insert(target, "(-1, 'z', 1)")


def test_a_column_becomes_not_null(target: engine.DeltaTarget, path: Path) -> None:
    assert alter(target, not_null=("V",)).changes == ("not null v: false -> true",)
    assert operation(path, 2)[0] == "CHANGE COLUMN"
    assert [field.nullable for field in target.schema()] == [True, False, True]
    with pytest.raises(Exception, match="NOT NULL"):
        insert(target, "(3, NULL, 1)")
    assert alter(target, not_null=("v",)).version is None


def test_not_null_upgrades_a_protocol_of_features(small: SparkSession, tmp_path: Path) -> None:
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "vectors"))
    small.sql(
        f"CREATE TABLE {target.name} (id INT) USING delta"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true', 'delta.minWriterVersion' = '7')"
    )
    alter(target, not_null=("id",), checks=(("c", "id > 0"),))
    assert {"invariants", "checkConstraints"} <= set(detail(target)["tableFeatures"])
    with pytest.raises(Exception, match="NOT NULL|CHECK"):
        insert(target, "(NULL)")


def test_clustering_is_set_changed_and_ended(target: engine.DeltaTarget, path: Path) -> None:
    assert alter(target, cluster_by=("ID",)).changes == ("clustering: () -> (id)",)
    assert operation(path, 2) == (
        "CLUSTER BY",
        {"oldClusteringColumns": "", "newClusteringColumns": "id"},
    )
    assert detail(target)["clusteringColumns"] == ["id"]
    assert alter(target, cluster_by=("id",)).version is None
    assert alter(target, cluster_by=("v", "id")).version == 3
    assert detail(target)["clusteringColumns"] == ["v", "id"]
    assert alter(target, cluster_by=()).changes == ("clustering: (v, id) -> ()",)
    assert detail(target)["clusteringColumns"] == []
    assert alter(target).version is None


def test_dropping_a_column_turns_column_mapping_on_first(
    target: engine.DeltaTarget, path: Path
) -> None:
    made = alter(target, dropped=("W", "gone already"))
    assert made.version == latest_version(path) == 3
    assert made.changes == (
        "property delta.columnMapping.mode: None -> name",
        "column w: there -> dropped",
    )
    assert operation(path, 3) == ("DROP COLUMNS", {"columns": '["w"]'})
    assert rows_of(target) == [(1, "a"), (2, "b")]
    assert alter(target, dropped=("v",)).version == 4
    assert alter(target, dropped=("v", "w")).version is None


def test_several_changes_are_one_commit(target: engine.DeltaTarget, path: Path) -> None:
    wanted: dict[str, Any] = {
        "properties": (("team", "theirs"),),
        "comment": "after",
        "column_comments": (("v", "new"),),
        "checks": (("small", "id < 100"),),
        "not_null": ("id",),
        "cluster_by": ("id",),
    }
    made = alter(target, **wanted)
    assert (made.version, latest_version(path), len(made.changes)) == (2, 2, 6)
    name, parameters = operation(path, 2)
    assert name == "SET TBLPROPERTIES"
    assert json.loads(parameters["properties"]) == {
        "property team": "ours -> theirs",
        "comment": "before -> after",
        "comment of column v": "old -> new",
        "check small": "None -> id < 100",
        "not null id": "false -> true",
        "clustering": "() -> (id)",
    }
    assert (detail(target)["clusteringColumns"], comments(target)) == (["id"], {"v": "new"})
    assert alter(target, **wanted) == engine.Alteration(None, ())
    assert latest_version(path) == 2


def test_odd_names_of_columns(small: SparkSession, tmp_path: Path) -> None:
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "odd"))
    small.sql(
        f"CREATE TABLE {target.name} (`a b` INT, `c.d` INT, `e``f` INT, `select` INT) USING delta"
        " TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"
    )
    insert(target, "(1, 2, 3, 4)")
    wanted: dict[str, Any] = {
        "column_comments": (("A B", "it's"), ("e`f", "ä")),
        "not_null": ("a b", "e`f"),
        "checks": (("odd name", "`c.d` > 0"),),
        "cluster_by": ("a b", "e`f"),
        "dropped": ("select",),
    }
    assert alter(target, **wanted).version == 2
    assert alter(target, **wanted).version is None
    assert comments(target) == {"a b": "it's", "e`f": "ä"}
    assert rows_of(target) == [(1, 2, 3)]


def test_rows_that_a_vector_marks_as_deleted_break_no_check(
    small: SparkSession, target: engine.DeltaTarget
) -> None:
    alter(target, properties=(("delta.enableDeletionVectors", "true"),))
    small.sql(f"INSERT INTO {target.name} SELECT /*+ COALESCE(1) */ id, 'x', 1 FROM range(3, 9)")
    assert target.delete("id = 8").route == "deletion_vectors"
    assert alter(target, checks=(("small", "id < 8"),)).version == 5


def test_a_table_of_the_catalog_is_changed_by_its_name(small: SparkSession) -> None:
    target = engine.DeltaTarget.for_name(small, "altered_table")
    small.sql("CREATE TABLE altered_table (id INT, v STRING) USING delta")
    try:
        insert(target, "(1, 'a')")
        fail(target, comment="never", dropped=("v",))
        assert rows_of(target) == [(1, "a")]
        alter(target, comment="kept", dropped=("v",))
        assert (rows_of(target), detail(target)["description"]) == ([(1,)], "kept")
    finally:
        small.sql("DROP TABLE altered_table")


def test_a_commit_carries_the_user_s_note(target: engine.DeltaTarget, path: Path) -> None:
    with engine.altered(target, TableDefinition(comment="x"), user_metadata="a note"):
        pass
    assert commit_of(path, 2).info["userMetadata"] == "a note"
