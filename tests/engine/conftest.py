"""What the engine's tests leave behind is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sessions import forget_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@pytest.fixture(autouse=True)
def forgotten_tables(small: SparkSession) -> Iterator[None]:
    yield
    forget_tables(small)
