"""What dbt's test classes need to know of this adapter."""

from __future__ import annotations

from pathlib import Path

import pytest
from of_others import ignored


@pytest.fixture(scope="class")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for `location_root`."""
    return tmp_path_factory.mktemp("root")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A class is a project that is built a few times: at every sixth commit, in `make test`."""
    ignored(items)
    for item in items:
        if item.path.parent == Path(__file__).parent and not item.get_closest_marker("share"):
            item.add_marker(pytest.mark.share(6, together=True))
