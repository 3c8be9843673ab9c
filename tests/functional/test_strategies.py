"""Every strategy in every situation, and what the timed ones do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from runs import Run, dbt, rows
from strategy_matrix import CASES, model

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

REFRESHED = [
    f"full_refresh__{strategy}" for strategy, situation, _ in CASES if situation == "full_refresh"
]
FAILS = {("merge", "duplicate_keys")}


class TestStrategies:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            f"{situation}__{strategy}.sql": model(strategy, situation)
            for strategy, situation, _ in CASES
        }

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "run")

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        dbt(project, "run", "--full-refresh", "--select", *REFRESHED)
        return dbt(project, "run", "--exclude", *REFRESHED)

    def test_the_first_run_creates_every_table(self, first: Run) -> None:
        failed = {
            name: first.message(name) for name in first.results if first.status(name) != "success"
        }
        assert failed == {}

    @pytest.mark.parametrize(("strategy", "situation", "expected"), CASES)
    def test_the_second_run_leaves_these_rows(
        self,
        project: TestProjInfo,
        second: Run,
        strategy: str,
        situation: str,
        expected: list[tuple[Any, ...]],
    ) -> None:
        name = f"{situation}__{strategy}"
        if situation != "full_refresh":
            status = "error" if (strategy, situation) in FAILS else "success"
            assert second.status(name) == status, second.message(name)
        assert rows(project, f"select * from {{schema}}.{name} order by all") == expected
