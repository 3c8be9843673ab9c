"""A snapshot that ignored deletions, and records them from its second run on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows
from snapshot_cases import DAY_1, DAY_2, MAY_1, MAY_2, snapshot, values

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

HARD_DELETES = "hard_deletes=var('hard_deletes')"
FIRST = values("id, v, at", f"(1, 'a', {MAY_1}), (2, 'b', {MAY_1}), (3, 'c', {MAY_1})")
GONE = values("id, v, at", f"(1, 'a', {MAY_1}), (3, 'd', {MAY_2})")
BACK = values("id, v, at", f"(1, 'a', {MAY_1}), (2, 'b', {MAY_1}), (3, 'd', {MAY_2})")
STRATEGIES = {
    "by_time": "strategy='timestamp', updated_at='at', unique_key='id'",
    "by_value": "strategy='check', check_cols=['v'], updated_at='at', unique_key='id'",
}


def run(project: TestProjInfo, step: int, hard_deletes: str) -> Run:
    return dbt(project, "snapshot", "--vars", f"{{step: {step}, hard_deletes: {hard_deletes}}}")


class TestRecordedLater:
    @pytest.fixture(scope="class")
    def project_config_update(self) -> dict[str, Any]:
        return {"vars": {"step": 1, "hard_deletes": "ignore"}}

    @pytest.fixture(scope="class")
    def snapshots(self) -> dict[str, str]:
        return {
            f"{name}.sql": snapshot(name, f"{config}, {HARD_DELETES}", FIRST, GONE, BACK)
            for name, config in STRATEGIES.items()
        }

    @pytest.fixture(scope="class")
    def ignored(self, project: TestProjInfo) -> None:
        """The second row is gone, which the snapshot ignores."""
        run(project, 1, "ignore")
        run(project, 2, "ignore")

    @pytest.fixture(scope="class")
    def after_recording(self, project: TestProjInfo, ignored: None) -> dict[str, Any]:
        recording = run(project, 2, "new_record")
        found = {}
        for name in STRATEGIES:
            assert recording.status(name) == "success", recording.message(name)
            found[name] = rows(
                project,
                "select id, v, dbt_is_deleted, dbt_updated_at, dbt_valid_to is null"
                f" from {{schema}}.{name} order by id, dbt_valid_from",
            )
        return found

    @pytest.mark.parametrize("name", STRATEGIES)
    def test_a_row_that_was_gone_is_deleted_by_then(
        self, after_recording: dict[str, Any], name: str
    ) -> None:
        now = after_recording[name][2][3]
        assert now > DAY_2
        assert after_recording[name] == [
            (1, "a", None, DAY_1, True),
            (2, "b", None, DAY_1, False),
            (2, "b", "True", now, True),
            (3, "c", None, DAY_1, False),
            (3, "d", None, DAY_2, True),
        ]

    @pytest.fixture(scope="class")
    def unchanged(self, project: TestProjInfo, after_recording: dict[str, Any]) -> Run:
        """The run before the one in which the row is back."""
        unchanged = run(project, 2, "new_record")
        run(project, 3, "new_record")
        return unchanged

    @pytest.mark.parametrize("name", STRATEGIES)
    def test_it_comes_back_and_the_others_stay(
        self, project: TestProjInfo, unchanged: Run, name: str
    ) -> None:
        assert unchanged.response(name)["rows_affected"] == 0
        query = (
            "select id, v, dbt_is_deleted, lead(dbt_valid_from) over (partition by id order by"
            f" dbt_valid_from) <=> dbt_valid_to from {{schema}}.{name} order by id, dbt_valid_from"
        )
        assert rows(project, query) == [
            (1, "a", None, True),
            (2, "b", None, True),
            (2, "b", "True", True),
            (2, "b", "False", True),
            (3, "c", None, True),
            (3, "d", None, True),
        ]
