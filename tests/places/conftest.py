"""What the project with every strategy holds on embedded Spark: other places must hold the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from every_strategy import Tables, built

if TYPE_CHECKING:
    from pathlib import Path

EMBEDDED = {"type": "deltaspark", "schema": "shop", "master": "local[2]", "threads": 2}


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    return built(EMBEDDED, tmp_path_factory.mktemp("embedded"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
