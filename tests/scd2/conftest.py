"""The table with history of the tests of strategy scd2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from history_table import History

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


@pytest.fixture
def history(small: SparkSession, tmp_path: Path) -> History:
    return History(small, tmp_path / "history")
