"""One Spark for each test process, started as the adapter starts it; dbt's own test fixtures."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pyspark.sql import SparkSession

    from dbt.adapters.deltaspark.engine.delta.files import FileChanges, Operation
    from dbt.adapters.deltaspark.engine.delta.transactions import Transaction

pytest_plugins = ["dbt.tests.fixtures.project"]
REMOTE = os.environ.get("REMOTE")
"""The address of a Spark Connect server (places/over_connect.py), where the tests run over one."""
os.environ.setdefault("CI", "true")  # no test leaves a process behind that archives classes
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # by a shell, of what runs in its background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests send Ctrl-C to what they start


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    from shares import SHARED, in_turn, turn

    if REMOTE is not None:
        for item in items:
            for mark in item.iter_markers("embedded"):
                item.add_marker(pytest.mark.skip(reason=mark.args[0]))
    if SHARED:
        items[:], left = in_turn(items, turn())
        config.hook.pytest_deselected(items=left)


@pytest.fixture(scope="session")
def spark_target(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """A profile's target, with a warehouse and a catalog of this process's own."""
    from sessions import QUICK, SMALL_TABLES

    if REMOTE is not None:
        return {
            "type": "deltaspark",
            "remote": REMOTE,
            "spark_config": dict(SMALL_TABLES),
            "threads": 4,
        }
    folder = tmp_path_factory.mktemp("spark")
    return {
        "type": "deltaspark",
        "master": "local[2]",
        "warehouse": str(folder / "warehouse"),
        "metastore": str(folder / "metastore"),
        "driver_memory": "3g",
        "spark_config": dict(QUICK),
        "threads": 4,
    }


@pytest.fixture(scope="session")
def dbt_profile_target(spark_target: dict[str, Any]) -> dict[str, Any]:
    """A copy: dbt's fixtures write each project's schema into it."""
    return dict(spark_target)


@pytest.fixture(scope="session")
def spark(spark_target: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> SparkSession:
    """A session of the process's one Spark."""
    from sessions import without_checksum_files

    from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
    from dbt.adapters.deltaspark.session.spark import open_session

    keys = {key: value for key, value in spark_target.items() if key not in {"type", "threads"}}
    credentials = DeltaSparkCredentials.from_dict({"schema": "default", **keys})
    settings = credentials.session_settings(tmp_path_factory.getbasetemp())
    session = open_session(settings)
    return session if REMOTE else without_checksum_files(session)


@pytest.fixture(scope="session")
def small(spark: SparkSession) -> SparkSession:
    """A session of it for many tiny tables."""
    from sessions import for_small_tables

    return for_small_tables(spark)


@pytest.fixture
def before_our_commit(
    small: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str | Callable[[], object]], None]]:
    """Lets another writer work when our first attempt is about to commit: SQL, or a call."""
    from dbt.adapters.deltaspark.engine.delta import transactions

    commit = transactions.Transaction.commit
    rivals: list[Callable[[], object]] = []

    def arrange(rival: str | Callable[[], object]) -> None:
        rivals.append(rival if callable(rival) else partial(small.newSession().sql, rival))

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

        monkeypatch.setattr(transactions.Transaction, "commit", interrupted)

    yield arrange
    assert rivals == [], "our commit, before which the other writer was to work, did not come"
