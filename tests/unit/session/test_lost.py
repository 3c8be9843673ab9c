"""Which of a run's connections may have another Spark in the place of one that is gone."""

from __future__ import annotations

import multiprocessing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from dbt.adapters.contracts.connection import ConnectionState

from dbt.adapters.deltaspark import connections, profile_warnings
from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager
from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_a_run_starts_no_other_spark_than_its_first_which_may_have_statements_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    session = SimpleNamespace(conf=SimpleNamespace(get=lambda *_: None))

    def opened(*_: object, replaces_lost: bool) -> SimpleNamespace:
        asked.append(replaces_lost)
        return session

    monkeypatch.setattr(connections, "open_session", opened)
    monkeypatch.setattr(profile_warnings, "kept_confs", lambda *_: ())  # of a Spark of other tests
    credentials = DeltaSparkCredentials.from_dict({"schema": "shop"})
    profile: Any = SimpleNamespace(credentials=credentials, project_root=tmp_path)
    manager = DeltaSparkConnectionManager(profile, multiprocessing.get_context("spawn"))
    connection = manager.set_connection_name("model.shop.orders")
    for _ in range(2):
        manager.open(connection)
        connection.state = ConnectionState.CLOSED
    manager.cleanup_all()
    assert asked == [True, False]
