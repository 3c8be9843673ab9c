"""Tables whose definition is changed, made or replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from defining import NAME

from dbt.adapters.deltaspark import engine

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pyspark.sql import SparkSession
    from seed_tables import TableFrom


@pytest.fixture
def path(table_from: TableFrom, tmp_path: Path) -> Path:
    return table_from(
        tmp_path / "target",
        "CREATE TABLE {table} (id INT, v STRING COMMENT 'old', w INT) USING delta COMMENT 'before'"
        " TBLPROPERTIES ('team' = 'ours', 'delta.constraints.Positive' = 'id > 0')",
        "INSERT INTO {table} VALUES (1, 'a', 10), (2, 'b', NULL)",
    )


@pytest.fixture
def target(small: SparkSession, path: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(small, str(path))


@pytest.fixture
def defined(small: SparkSession) -> Iterator[engine.DeltaTarget]:
    yield engine.DeltaTarget.for_name(small, NAME)
    small.sql(f"DROP TABLE IF EXISTS {NAME}")


@pytest.fixture
def path_there(table_from: TableFrom, tmp_path: Path) -> Path:
    """A table with two rows in two versions."""
    return table_from(
        tmp_path / "target",
        "CREATE TABLE {table} (id INT, v STRING) USING delta",
        "INSERT INTO {table} VALUES (1, 'a'), (2, 'b')",
    )


@pytest.fixture
def there(small: SparkSession, path_there: Path) -> engine.DeltaTarget:
    return engine.DeltaTarget.for_path(small, str(path_there))
