"""The table with history of the tests of strategy scd2, and the limits that they run by."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import pytest
from history_table import History
from limits import limits_drawn
from shares import turn

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession


@pytest.fixture
def history(small: SparkSession, tmp_path: Path) -> History:
    return History(small, tmp_path / "history")


@pytest.fixture(autouse=True)
def limits(request: pytest.FixtureRequest) -> Iterator[None]:
    """Half of the tests run by the users' limits, others at the next commit."""
    chosen = limits_drawn(crc32(request.node.nodeid.encode()), turn())
    print(chosen)
    with chosen.in_force():
        yield
