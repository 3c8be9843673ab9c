"""What a table is, changed in one commit and put back where the block fails."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from commits import commit_of, latest_version

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine import TableDefinition

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom


class BlockError(Exception):
    """What goes wrong in a block."""


@pytest.fixture
def path(table_from: TableFrom, tmp_path: Path) -> Path:
    return table_from(
        tmp_path / "target",
        "CREATE TABLE {table} (id INT, v STRING COMMENT 'old', w INT) USING delta COMMENT 'before'"
        " TBLPROPERTIES ('team' = 'ours', 'delta.constraints.Positive' = 'id > 0')",
        "INSERT INTO {table} VALUES (1, 'a', 10), (2, 'b', NULL)",
    )


@pytest.fixture
def target(small: SparkSession, path: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(small, str(path))


def alter(target: engine.DeltaTarget, **definition: Any) -> engine.Alteration:
    with engine.altered(target, TableDefinition(**definition)) as alteration:
        return alteration


def fail(target: engine.DeltaTarget, **definition: Any) -> BlockError:
    """Alter, and fail in the block; returns the error as it came out."""
    with (
        pytest.raises(BlockError) as raised,
        engine.altered(target, TableDefinition(**definition)),
    ):
        raise BlockError
    return raised.value


def notes(error: BaseException) -> list[str]:
    return list(getattr(error, "__notes__", []))


def operation(path: Path, version: int) -> tuple[str, dict[str, Any]]:
    info = commit_of(path, version).info
    return info["operation"], info["operationParameters"]


def detail(target: engine.DeltaTarget) -> Any:
    return target.spark.sql(f"DESCRIBE DETAIL {target.name}").first()


def comments(target: engine.DeltaTarget) -> dict[str, str]:
    found = {field.name: field.metadata.get("comment") for field in target.schema()}
    return {name: comment for name, comment in found.items() if comment}


def rows_of(target: engine.DeltaTarget) -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in target.spark.table(target.name).collect())


def insert(target: engine.DeltaTarget, rows: str) -> None:
    target.spark.sql(f"INSERT INTO {target.name} VALUES {rows}")


def refused(target: engine.DeltaTarget, said: Sequence[str], **definition: Any) -> None:
    with pytest.raises(Exception) as raised:
        alter(target, **definition)
    assert [text for text in said if text not in str(raised.value)] == []


# --- each kind of change ---


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


# --- what is refused ---


def test_old_rows_that_break_a_check_are_named_and_nothing_changes(
    target: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(engine.ConstraintViolationError) as raised:
        alter(target, checks=(("few", "w < 20"), ("high", "id > 1")), not_null=("w",))
    assert str(raised.value) == (
        f"{target.name} has rows that break what it should hold; nothing was changed.\n"
        "CHECK few (w < 20): 1 rows, such as\n  - id = 2, v = 'b', w = None\n"
        "CHECK high (id > 1): 1 rows, such as\n  - id = 1, v = 'a', w = 10\n"
        "NOT NULL w: 1 rows, such as\n  - id = 2, v = 'b', w = None\n"
        "Correct or delete these rows first, or change the constraint."
    )
    assert latest_version(path) == 1


def test_five_of_many_rows_are_shown(target: engine.DeltaTarget) -> None:
    insert(target, "(3, 'c', 3), (4, 'd', 4), (5, 'e', 5), (6, 'f', 6), (7, 'g', 7)")
    with pytest.raises(engine.ConstraintViolationError) as raised:
        alter(target, checks=(("none", "id > 100"),))
    assert (raised.value.violations[0].count, len(raised.value.violations[0].rows)) == (7, 5)


@pytest.mark.parametrize(
    ("definition", "said"),
    [
        ({"column_comments": (("x", "?"),)}, ["names x, which is not a column", "id, v, w"]),
        ({"not_null": ("x",)}, ["not_null names x"]),
        ({"cluster_by": ("x",)}, ["cluster_by names x"]),
        ({"dropped": ("id", "v", "w")}, ["cannot all be dropped"]),
        ({"dropped": ("id",)}, ["the column id cannot be dropped", "the check Positive (id > 0)"]),
        ({"checks": (("c", "w + 1"),)}, ["the check c", "is of type int and no condition"]),
        ({"checks": (("c", "x > 1"),)}, ["UNRESOLVED_COLUMN"]),
        ({"checks": (("c", "w > 1) OR (true"),)}, ["PARSE_SYNTAX_ERROR"]),
        ({"properties": (("delta.unknown", "1"),)}, ["delta.unknown"]),
        ({"properties": (("delta.appendOnly", "maybe"),)}, ["maybe"]),
        (
            {"properties": (("delta.enableRowTracking", "true"),)},
            ["None, not 'true'", "ALTER TABLE changes the files"],
        ),
    ],
)
def test_what_cannot_be_changed_is_said_and_changes_nothing(
    target: engine.DeltaTarget, path: Path, definition: dict[str, Any], said: list[str]
) -> None:
    refused(target, said, **definition)
    assert latest_version(path) == 1


def test_column_mapping_is_not_turned_off(target: engine.DeltaTarget, path: Path) -> None:
    alter(target, properties=(("delta.columnMapping.mode", "name"),))
    refused(target, ["'name', not 'none'"], properties=(("delta.columnMapping.mode", "none"),))
    assert latest_version(path) == 2


def test_a_column_that_a_new_check_needs_is_not_dropped(
    target: engine.DeltaTarget, path: Path
) -> None:
    check = (("c", "w IS NULL OR w < 99"),)
    refused(target, ["the column w cannot be dropped", "check c"], checks=check, dropped=("w",))
    assert latest_version(path) == 1


def test_a_column_that_a_generated_column_needs_is_dropped_with_it_only(
    small: SparkSession, tmp_path: Path
) -> None:
    from delta.tables import DeltaTable

    folder = tmp_path / "generated"
    maker = DeltaTable.create(small).location(str(folder)).addColumn("a", "INT")
    maker = maker.addColumn("b", "INT", generatedAlwaysAs="a + 1").addColumn("c", "INT")
    maker.execute()
    target = engine.DeltaTarget.for_path(small, str(folder))
    refused(target, ["the generated column b (a + 1)"], dropped=("a",))
    assert latest_version(folder) == 0
    alter(target, dropped=("a", "b"))
    assert target.schema().names == ["c"]


def test_columns_that_files_are_laid_out_by_are_not_dropped(
    small: SparkSession, tmp_path: Path
) -> None:
    clustered = engine.DeltaTarget.for_path(small, str(tmp_path / "clustered"))
    small.sql(f"CREATE TABLE {clustered.name} (a INT, b INT) USING delta CLUSTER BY (a)")
    refused(clustered, ["clustered by a", "cluster_by"], dropped=("A",))
    alter(clustered, dropped=("A",), cluster_by=("b",))
    assert clustered.schema().names == ["b"]
    parted = engine.DeltaTarget.for_path(small, str(tmp_path / "parted"))
    small.sql(f"CREATE TABLE {parted.name} (a INT, b INT) USING delta PARTITIONED BY (a)")
    refused(parted, ["partitioned by a"], dropped=("a",))
    refused(parted, ["partitioned by a", "cannot be clustered by b"], cluster_by=("b",))
    assert latest_version(tmp_path / "parted") == 0


def test_a_table_that_is_not_delta_s_is_refused(small: SparkSession) -> None:
    small.sql("CREATE TABLE plain_parquet (a INT) USING parquet")
    try:
        refused(
            engine.DeltaTarget.for_name(small, "plain_parquet"), ["not a Delta table"], comment="x"
        )
    finally:
        small.sql("DROP TABLE plain_parquet")


def test_statistics_of_a_dropped_column_are_not_collected_any_more(
    target: engine.DeltaTarget,
) -> None:
    alter(target, properties=(("delta.dataSkippingStatsColumns", "id,w"),))
    alter(target, dropped=("w",))
    assert detail(target)["properties"]["delta.dataSkippingStatsColumns"] == "id"
    insert(target, "(3, 'c')")


# --- the undo ---


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
    assert notes(error) == []
    assert latest_version(path) == 3
    assert (detail(target)["properties"], target.schema(), rows_of(target)) == before
    assert (detail(target)["description"], detail(target)["clusteringColumns"]) == ("before", [])
    insert(target, "(1000, 'z', 1)")
    name, parameters = operation(path, 3)
    assert name == "SET TBLPROPERTIES"
    told = json.loads(parameters["properties"])
    assert (told["undone"], told["property team"]) == ("version 2", "theirs -> ours")


def test_a_dropped_column_comes_back_with_its_values(
    target: engine.DeltaTarget, path: Path
) -> None:
    rows = rows_of(target)
    error = fail(target, dropped=("w",), comment="after")
    assert notes(error) == []
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
    assert (notes(error), latest_version(path), rows_of(target)) == ([], 2, rows)


def test_column_mapping_that_is_asked_for_comes_first_and_stays(
    target: engine.DeltaTarget, path: Path
) -> None:
    rows = rows_of(target)
    error = fail(target, properties=(("delta.columnMapping.mode", "name"), ("a", "b")), comment="x")
    assert (notes(error), latest_version(path), rows_of(target)) == ([], 4, rows)
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
        pytest.raises(engine.EngineError, match="another writer took back what ver") as raised,
        engine.altered(target, TableDefinition(**definition)) as alteration,
    ):
        small.sql(f"RESTORE TABLE {target.name} TO VERSION AS OF 1")
        engine.write(small.sql(ROWS), target)
    assert all(change in str(raised.value) for change in alteration.changes)
    assert notes(raised.value) == []
    assert latest_version(path) == 3
    assert detail(target)["properties"] == before["properties"]
    assert small.table(target.name).count() == 2


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
