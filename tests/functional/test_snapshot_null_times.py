"""Snapshots whose `updated_at` is null in some rows, and one that such a null broke before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, rows
from snapshot_cases import BY_TIME, DAY_1, DAY_2, MAY_1, MAY_2, run, snapshot, values

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

Rows = list[tuple[Any, ...]]
NO_TIME = "cast(null as timestamp)"
CHECKED = "strategy='check', check_cols=['v'], unique_key='id', updated_at='at'"
ID_AND_TIME = CHECKED.replace("'id'", "['id', 'part']")
GONE = f"select 1 as id, 'a' as v, {MAY_1} as at where false"
BACK = values("id, v, at", f"(1, 'a', {NO_TIME})")
DATED = values("id, v, at", f"(1, 'b', {MAY_2})")

SNAPSHOTS = {
    "gets_a_time": (
        BY_TIME,
        values("id, v, at", f"(1, 'a', {NO_TIME}), (2, 'x', {MAY_1})"),
        values("id, v, at", f"(1, 'b', {MAY_1}), (2, 'y', {NO_TIME})"),
        values("id, v, at", f"(1, 'c', {MAY_2}), (2, 'z', {MAY_2})"),
        values("id, v, at", f"(1, 'c', {MAY_2}), (2, 'z', {MAY_2})"),
    ),
    "loses_its_time": (
        ID_AND_TIME,
        values("id, part, v, at", f"(1, 1, 'a', {MAY_1}), (2, null, 'x', {NO_TIME})"),
        values(
            "id, part, v, at",
            f"(1, 1, 'b', {NO_TIME}), (2, null, 'y', {NO_TIME}), (3, 1, 'n', {NO_TIME})",
        ),
        values("id, part, v, at", f"(1, 1, 'a', {NO_TIME}), (2, null, 'y', {MAY_2})"),
        values("id, part, v, at", f"(1, 1, 'c', {MAY_2}), (2, null, 'y', {MAY_2})"),
    ),
    "loses_it_while_open_ended": (
        CHECKED + ", dbt_valid_to_current=\"timestamp'9999-12-31'\"",
        values("id, v, at", f"(1, 'a', {MAY_1})"),
        values("id, v, at", f"(1, 'b', {NO_TIME})"),
        DATED,
        DATED,
    ),
    "is_back_after_a_deletion": (
        BY_TIME + ", hard_deletes='new_record'",
        values("id, v, at", f"(1, 'a', {MAY_1})"),
        GONE,
        BACK,
        DATED,
    ),
    "is_back_after_an_end": (
        BY_TIME + ", hard_deletes='invalidate'",
        BACK,
        GONE,
        BACK,
        DATED,
    ),
}
BROKEN = """
create table {schema}.broken using delta as select * from values
  (1, 'a', timestamp'2024-05-01', 'one', timestamp'2024-05-01', timestamp'2024-05-01', null),
  (1, 'b', null, 'two', null, null, null),
  (2, 'c', timestamp'2024-05-02', 'three', timestamp'2024-05-02', timestamp'2024-05-02', null),
  (2, 'c', timestamp'2024-05-02', 'three', timestamp'2024-05-02', timestamp'2024-05-02', null),
  (3, 'd', timestamp'2024-05-01', 'four', timestamp'2024-05-01', timestamp'2024-05-01',
   timestamp'2024-05-02'),
  (3, 'e', timestamp'2024-05-02', 'five', timestamp'2024-05-02', timestamp'2024-05-02', null)
  as t(id, v, at, dbt_scd_id, dbt_updated_at, dbt_valid_from, dbt_valid_to)
"""
SAME = values("id, v, at", f"(1, 'b', {NO_TIME}), (2, 'c', {MAY_2}), (3, 'e', {MAY_2})")
LATER = "timestamp'2024-06-01'"
CHANGED = values("id, v, at", f"(1, 'f', {LATER}), (2, 'g', {LATER}), (3, 'e', {MAY_2})")


class TestNullTimes:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"vars": {"step": 1}}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {f"{name}.sql": snapshot(name, *facts) for name, facts in SNAPSHOTS.items()}

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo) -> Run:
        run(project, 1)
        return run(project, 2)

    @pytest.fixture(scope="class")
    def after_two(self, project: TestProjInfo, second: Run) -> Rows:
        """What the runs that fail leave."""
        return rows(project, "select id, part, v, dbt_valid_to from {schema}.loses_its_time")

    @pytest.fixture(scope="class")
    def third(self, project: TestProjInfo, after_two: Rows) -> Run:
        return run(project, 3)

    @pytest.fixture(scope="class")
    def fourth(self, project: TestProjInfo, third: Run) -> Run:
        return run(project, 4)

    def test_a_time_is_newer_than_none(self, project: TestProjInfo, fourth: Run) -> None:
        query = (
            "select id, v, dbt_valid_from, dbt_valid_to from {schema}.gets_a_time"
            " order by id, dbt_valid_from nulls first"
        )
        assert rows(project, query) == [
            (1, "a", None, DAY_1),
            (1, "b", DAY_1, DAY_2),
            (1, "c", DAY_2, None),
            (2, "x", DAY_1, DAY_2),
            (2, "z", DAY_2, None),
        ]

    def test_a_change_without_a_time_is_told_with_its_keys(self, second: Run) -> None:
        assert second.status("loses_its_time") == "error"
        message = second.message("loses_its_time")
        assert "updated_at 'at' is null in rows that have changed, so it is not known" in message
        assert "nothing was written" in message
        assert "\n    - id = 1, part = 1\n    - id = 2, part = None\n" in message
        assert "id = 3" not in message
        assert "- id = 1" in second.message("loses_it_while_open_ended")

    def test_it_leaves_the_table_as_it_was(self, after_two: Rows) -> None:
        assert sorted(after_two) == [(1, 1, "a", None), (2, None, "x", None)]

    def test_a_row_that_did_not_change_needs_no_time(
        self, project: TestProjInfo, third: Run, fourth: Run
    ) -> None:
        assert third.status("loses_its_time") == "success", third.message("loses_its_time")
        query = (
            "select id, v, dbt_valid_from, dbt_valid_to from {schema}.loses_its_time"
            " order by id, dbt_valid_from nulls first"
        )
        assert rows(project, query) == [
            (1, "a", DAY_1, DAY_2),
            (1, "c", DAY_2, None),
            (2, "x", None, DAY_2),
            (2, "y", DAY_2, None),
        ]

    @pytest.mark.parametrize("name", ["is_back_after_a_deletion", "is_back_after_an_end"])
    def test_a_row_that_came_back_without_a_time_is_seen_when_it_gets_one(
        self, project: TestProjInfo, fourth: Run, name: str
    ) -> None:
        query = (
            "select v, dbt_updated_at, dbt_valid_from > timestamp'2026-01-01'"
            f" from {{schema}}.{name} where dbt_valid_to is null"
        )
        assert rows(project, query) == [("b", DAY_2, True)]
        gaps = (
            "select count(*) from (select dbt_valid_to, lead(dbt_valid_from) over (order by"
            f" dbt_valid_from nulls first, dbt_valid_to) as next from {{schema}}.{name})"
            " where dbt_valid_to > next"
        )
        assert rows(project, gaps) == [(0,)]


class TestBrokenSnapshot:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"vars": {"step": 1}}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {"broken.sql": snapshot("broken", CHECKED, SAME, CHANGED)}

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        project.run_sql(BROKEN.format(schema=project.test_schema))
        return run(project, 1)

    def test_several_current_versions_are_told_with_their_keys(
        self, project: TestProjInfo, first: Run
    ) -> None:
        assert first.status("broken") == "error"
        message = first.message("broken")
        assert "has several current versions of the same unique_key" in message
        assert "\n    - id = 1: 2 versions\n    - id = 2: 2 versions\n" in message
        assert len(message.splitlines()) <= 12
        assert rows(project, "select count(*) from {schema}.broken") == [(6,)]

    def test_the_statement_that_it_gives_mends_the_snapshot(
        self, project: TestProjInfo, first: Run
    ) -> None:
        _, _, statement = first.message("broken").partition("\n    insert overwrite ")
        project.run_sql("insert overwrite " + statement)
        recent = "{} > timestamp'2026-01-01'"
        query = (
            f"select id, v, {recent.format('dbt_valid_from')}, {recent.format('dbt_valid_to')}"
            " from {schema}.broken order by id, v"
        )
        mended = [
            (1, "a", False, True),
            (1, "b", True, None),
            (2, "c", False, None),
            (3, "d", False, False),
            (3, "e", False, None),
        ]
        assert rows(project, query) == mended
        assert run(project, 1).response("broken")["skipped"]
        assert run(project, 2).status("broken") == "success"
        current = "select id, v from {schema}.broken where dbt_valid_to is null order by id"
        assert rows(project, current) == [(1, "f"), (2, "g"), (3, "e")]
        ends = "select dbt_valid_to from {schema}.broken where id = 2 and v = 'c'"
        assert str(rows(project, ends)[0][0]) == "2024-06-01 00:00:00"
