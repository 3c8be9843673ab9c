"""What dbt's test classes need to know of this adapter."""

from __future__ import annotations

import pytest

# dbt-tests-adapter and dbt-core, where this project cannot change it.
OF_OTHERS = (
    "ignore:Class-scoped fixtures defined as instance methods",
    "ignore:Exception ignored in. <function Pool.__del__:pytest.PytestUnraisableExceptionWarning",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for warning in OF_OTHERS:
            item.add_marker(pytest.mark.filterwarnings(warning))
