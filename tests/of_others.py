"""Warnings of dbt-tests-adapter and dbt-core, where this project cannot change them."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

OF_OTHERS = (
    "ignore:Class-scoped fixtures defined as instance methods",
    "ignore:Exception ignored in. <function Pool.__del__:pytest.PytestUnraisableExceptionWarning",
)


def ignored(items: Iterable[pytest.Item], *more: str) -> None:
    """No test fails by one of them."""
    for item in items:
        for warning in (*OF_OTHERS, *more):
            item.add_marker(pytest.mark.filterwarnings(warning))
