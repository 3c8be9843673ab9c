"""Tables of a Spark Connect server, and another writer that has a session of its own."""

from __future__ import annotations

import uuid
from functools import partialmethod
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql.connect.readwriter import DataFrameWriterV2
from server_tables import THERE, make, sql

from dbt.adapters.deltaspark import engine
from dbt.adapters.deltaspark.engine.delta import cloned, released

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession


@pytest.fixture
def target(small: SparkSession) -> Iterator[engine.DeltaTarget]:
    name = f"default.t_{uuid.uuid4().hex}"
    yield engine.DeltaTarget.for_name(small, name)
    small.sql(f"DROP TABLE IF EXISTS {name}")


@pytest.fixture
def there(target: engine.DeltaTarget) -> engine.DeltaTarget:
    make(target, THERE)
    return target


@pytest.fixture
def between(small: SparkSession, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Lets another writer work right before our rows are written to a table that is there."""
    rival = cloned(small)

    def arrange(*statements: str) -> None:
        waiting = [*statements]
        for name in ("append", "overwrite"):
            after = partialmethod(_after, rival, waiting, getattr(DataFrameWriterV2, name))
            monkeypatch.setattr(DataFrameWriterV2, name, after)

    yield arrange
    released(rival)


def _after(
    writer: DataFrameWriterV2,
    spark: SparkSession,
    statements: list[str],
    write: Callable[..., None],
    *arguments: Any,
) -> None:
    while statements:
        sql(spark, statements.pop(0))
    write(writer, *arguments)
