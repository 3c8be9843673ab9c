"""Changes of what a table is that are refused, and leave it as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from altering import alter, detail, insert, notes, refused
from commits import latest_version

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


def test_old_rows_that_break_a_check_are_named_and_nothing_changes(
    target: engine.DeltaTarget, path: Path
) -> None:
    with pytest.raises(engine.ConstraintViolationError) as raised:
        alter(target, checks=(("few", "w < 20"), ("high", "id > 1")), not_null=("w",))
    assert str(raised.value) == (
        f"{target.name} has rows that break what it should hold; nothing was changed.\n"
        "CHECK few (w < 20): 1 rows, such as\n  - id = 2, v = 'b', w = null\n"
        "CHECK high (id > 1): 1 rows, such as\n  - id = 1, v = 'a', w = 10\n"
        "NOT NULL w: 1 rows, such as\n  - id = 2, v = 'b', w = null\n"
        "Correct or delete these rows first, or change the constraint (a CHECK that is null is"
        " violated, too)."
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


@pytest.mark.parametrize("mode", ["none", "None"])
def test_without_column_mapping_no_column_is_dropped(
    target: engine.DeltaTarget, path: Path, mode: str
) -> None:
    off = (("delta.columnMapping.mode", mode),)
    said = ["w cannot be dropped", "Leave the property out"]
    refused(target, said, properties=off, dropped=("w",))
    said = ["columns cannot be mapped", "Leave the property out"]
    refused(target, said, properties=off, maps_columns=True)
    assert latest_version(path) == 1


@pytest.mark.parametrize(
    ("definition", "version"),
    [
        ({"cluster_by": ("a", "b", "c", "d", "e")}, 0),
        ({"properties": (("delta.enableIcebergCompatV2", "true"),)}, 1),
    ],
)
def test_of_two_commits_the_first_is_not_made_or_is_told(
    small: SparkSession, tmp_path: Path, definition: dict[str, Any], version: int
) -> None:
    target = engine.DeltaTarget.for_path(small, str(tmp_path / "wide"))
    small.sql(
        f"CREATE TABLE {target.name} (a INT, b INT, c INT, d INT, e INT, w INT) USING delta"
        " TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"
    )
    with pytest.raises(Exception, match="DELTA_") as raised:
        alter(target, dropped=("w",), **definition)
    told = f"{target.name} keeps column mapping, which version 1 turned on."
    assert (latest_version(tmp_path / "wide"), notes(raised.value)) == (version, [told] * version)


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
