"""Tables for the engine's tests; what they leave behind is forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from limits import OF_LARGE_TABLES
from seed_tables import TableFrom
from sessions import forget_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@pytest.fixture(autouse=True)
def of_large_tables() -> Iterator[None]:
    with OF_LARGE_TABLES.in_force():
        yield


@pytest.fixture(autouse=True)
def forgotten_tables(small: SparkSession) -> Iterator[None]:
    yield
    forget_tables(small)


@pytest.fixture(scope="session")
def table_from(small: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> TableFrom:
    return TableFrom(small, tmp_path_factory.mktemp("seeds"))
