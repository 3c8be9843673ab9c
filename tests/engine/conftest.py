"""What the engine's tests leave behind is forgotten, and other writers come in between."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from sessions import forget_tables

from dbt.adapters.deltaspark.engine.delta.transactions import Transaction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.engine.delta.files import FileChanges, Operation


@pytest.fixture(autouse=True)
def forgotten_tables(small: SparkSession) -> Iterator[None]:
    yield
    forget_tables(small)


@pytest.fixture
def before_our_commit(
    small: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str | Callable[[], object]], None]:
    """Lets another writer work when our first attempt is about to commit: SQL, or a call."""
    commit = Transaction.commit

    def arrange(rival: str | Callable[[], object]) -> None:
        rivals = [rival if callable(rival) else partial(small.newSession().sql, rival)]

        def interrupted(
            self: Transaction,
            operation: Operation,
            changes: Sequence[FileChanges],
            values: Mapping[str, int],
            first: Sequence[Any] = (),
        ) -> int | None:
            if rivals:
                with ThreadPoolExecutor(1) as elsewhere:
                    elsewhere.submit(rivals.pop()).result()
            return commit(self, operation, changes, values, first)

        monkeypatch.setattr(Transaction, "commit", interrupted)

    return arrange
