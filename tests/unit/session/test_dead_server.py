"""A Spark Connect server that is not there is told soon, with its address."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkException

from dbt.adapters.deltaspark.session import SessionSettings, message_of, open_session

grpc = pytest.importorskip("grpc")
patience = pytest.importorskip("dbt.adapters.deltaspark.engine.delta.patience")


class Unavailable(grpc.RpcError):  # type: ignore[misc, name-defined]
    def code(self) -> object:
        return grpc.StatusCode.UNAVAILABLE


def test_the_error_has_the_address_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_CONNECT_MODE_ENABLED", "SPARK_REMOTE", "SPARK_API_MODE"):
        monkeypatch.setenv(name, "")  # put back at the end
        monkeypatch.delenv(name)
    monkeypatch.setattr("pyspark.SparkContext._active_spark_context", None)
    monkeypatch.setattr(patience, "PATIENCE", 0.0)
    with pytest.raises(PySparkException) as raised:
        open_session(SessionSettings(master=None, remote="sc://127.0.0.1:1"))
    told = message_of(raised.value)
    assert told.startswith("The Spark Connect server does not answer: ")
    assert "127.0.0.1:1: " in told.splitlines()[0]
    assert "_InactiveRpcError" not in told


def test_all_the_tries_of_a_request_take_less_than_a_minute() -> None:
    tries = patience.Patience().to_state()
    waits = [*iter(tries.next_attempt, None)]
    assert len(waits) == 12
    assert sum(waits) < 60_000


def test_a_server_that_was_waited_for_is_not_waited_for_again_by_the_next_request() -> None:
    clock = iter([0.0, 5.0, 10.0, 20.0, 30.0, 40.0, 45.0, 46.0])
    policy = patience.Patience(lambda: next(clock))
    asked = [policy.can_retry(Unavailable()) for _ in range(8)]
    assert asked == [True] * 6 + [False] * 2


def test_a_server_that_answered_in_between_is_waited_for_anew() -> None:
    clock = iter([0.0, 44.0, 46.0])
    policy = patience.Patience(lambda: next(clock))
    assert all(policy.can_retry(Unavailable()) for _ in range(3))
