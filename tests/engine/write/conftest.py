"""A folder without a table, and the target that it is to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made"


@pytest.fixture
def target(small: SparkSession, path: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(small, str(path))
