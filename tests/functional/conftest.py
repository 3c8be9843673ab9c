"""What dbt's test classes need to know of this adapter."""

from __future__ import annotations

import getpass

import pytest

# dbt-tests-adapter and dbt-core, where this project cannot change it.
OF_OTHERS = ("ignore:Class-scoped fixtures defined as instance methods",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for warning in OF_OTHERS:
            item.add_marker(pytest.mark.filterwarnings(warning))


@pytest.fixture(scope="class")
def profile_user() -> str:
    """The owner of what is created: the profile names no user."""
    return getpass.getuser()
