"""What the project with every strategy holds, wherever it is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from every_strategy import Tables, recorded

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def held() -> Tables:
    return recorded()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
