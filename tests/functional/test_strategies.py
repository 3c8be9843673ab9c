"""Every strategy in every situation: the rows after a second run, literally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import strategy_matrix
import timed_matrix
from runs import Run, dbt, rows
from shares import of_turn

if TYPE_CHECKING:
    from dbt.tests.fixtures.project import TestProjInfo

CASES = of_turn([*strategy_matrix.CASES, *timed_matrix.CASES], 5)
REFRESHED = [name for name, *_ in CASES if name.startswith("full_refresh")]
FAILS = {"duplicate_keys__merge", "duplicate_times__scd2"}
FIRST_OF_JANUARY = ("--event-time-start", "2026-01-01", "--event-time-end", "2026-01-02")


class TestStrategies:
    @pytest.fixture(scope="class")
    def models(self) -> dict[str, str]:
        return {
            f"{name}.sql": strategy_matrix.model(
                settings, first, second, refreshes=name in REFRESHED
            )
            for name, settings, first, second, _ in CASES
        }

    @pytest.fixture(scope="class")
    def first(self, project: TestProjInfo) -> Run:
        return dbt(project, "run", *FIRST_OF_JANUARY)

    @pytest.fixture(scope="class")
    def second(self, project: TestProjInfo, first: Run) -> Run:
        if REFRESHED:
            dbt(project, "run", "--full-refresh", "--select", *REFRESHED, *FIRST_OF_JANUARY)
        others = ("--exclude", *REFRESHED) if REFRESHED else ()
        return dbt(project, "run", *others, *FIRST_OF_JANUARY)

    def test_the_first_run_creates_every_table(self, first: Run) -> None:
        failed = {
            name: first.message(name) for name in first.results if first.status(name) != "success"
        }
        assert failed == {}

    @pytest.mark.parametrize(
        ("name", "expected"), [(name, expected) for name, _, _, _, expected in CASES]
    )
    def test_the_second_run_leaves_these_rows(
        self, project: TestProjInfo, second: Run, name: str, expected: list[tuple[Any, ...]]
    ) -> None:
        if name not in REFRESHED:
            status = "error" if name in FAILS else "success"
            assert second.status(name) == status, second.message(name)
        assert rows(project, f"select * from {{schema}}.{name} order by all") == expected
