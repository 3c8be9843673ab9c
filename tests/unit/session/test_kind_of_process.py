"""A process is a Spark Connect server's client or runs Spark itself, and is told so."""

from __future__ import annotations

import os
import threading
from types import SimpleNamespace

import pyspark
import pytest
from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from dbt.adapters.deltaspark.session import (
    SessionError,
    SessionSettings,
    open_session,
    servers,
    spark,
)
from dbt.adapters.deltaspark.session.environment import VersionProblem

HERE = SessionSettings(master="local[1]")
SERVER = SessionSettings(master=None, remote="sc://127.0.0.1:1/;token=hunter2")


@pytest.fixture(autouse=True)
def a_process_of_no_kind_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_CONNECT_MODE_ENABLED", "SPARK_REMOTE", "SPARK_API_MODE"):
        monkeypatch.setenv(name, "")  # put back at the end, whatever was done
        monkeypatch.delenv(name)
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    monkeypatch.setattr(spark, "_opened", None)
    monkeypatch.setattr(servers, "_known", set())


def server(version: str) -> SimpleNamespace:
    """A session of a Spark Connect server's."""
    client = SimpleNamespace(set_retry_policies=lambda _: None)
    conf = SimpleNamespace(_set_all=lambda *_, **__: None)
    return SimpleNamespace(client=client, conf=conf, version=version)


def test_a_server_that_is_no_url_leaves_the_process_as_it_was() -> None:
    pytest.importorskip("grpc")
    with pytest.raises(Exception, match="URL"):
        open_session(SessionSettings(master=None, remote="http://127.0.0.1:1"))
    assert not is_remote()


def test_a_session_that_fails_leaves_the_one_of_another_thread_its_mark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other = threading.Thread(target=open_session, args=[SERVER])
    found = server(pyspark.__version__)

    def create(_: object) -> SimpleNamespace:
        os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
        if threading.current_thread() is not other:
            other.start()
            other.join(0.5)  # long enough to be done, if it may
            raise OSError("unavailable")
        return found

    monkeypatch.setattr(SparkSession.Builder, "create", create)
    with pytest.raises(OSError, match="unavailable"):
        open_session(SERVER)
    other.join()
    assert is_remote()


def test_spark_does_not_start_beside_a_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPARK_CONNECT_MODE_ENABLED", "1")
    with pytest.raises(SessionError, match="has used a Spark Connect server.*for each target"):
        open_session(HERE)


def test_a_server_of_the_environment_is_not_taken_for_the_profiles_master(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPARK_REMOTE", "sc://127.0.0.1:1/;token=hunter2")
    with pytest.raises(SessionError, match=r"unset SPARK_REMOTE.*`remote: ") as raised:
        open_session(HERE)
    assert "hunter2" not in str(raised.value)


def test_a_mode_of_the_environment_that_asks_for_a_server_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPARK_API_MODE", "Connect")
    with pytest.raises(SessionError, match="unset SPARK_API_MODE.*`remote: sc://"):
        open_session(HERE)


def test_a_server_is_not_used_beside_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkContext, "_active_spark_context", object())
    with pytest.raises(SessionError, match="Spark already runs.*for each target") as raised:
        open_session(SERVER)
    assert "hunter2" not in str(raised.value)


def test_a_server_of_another_major_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkSession.Builder, "create", lambda _: server("3.5.6"))
    told = (
        rf"is Spark 3\.5\.6, and this is PySpark {pyspark.__version__}: .*a server of Spark 4\.1\."
    )
    with pytest.raises(SessionError, match=told) as raised:
        open_session(SERVER)
    assert "hunter2" not in str(raised.value)
    assert not is_remote()


def test_a_server_of_another_minor_version_is_warned_of_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SparkSession.Builder, "create", lambda _: server("4.0.2"))
    warned: list[str] = []
    for _ in range(2):
        open_session(SERVER, warn=warned.append)
    assert len(warned) == 1
    assert f"is Spark 4.0.2, and this is PySpark {pyspark.__version__}: " in warned[0]


def test_a_server_of_the_same_line_is_no_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkSession.Builder, "create", lambda _: server("4.1.99"))
    open_session(SERVER, warn=pytest.fail)


def test_a_spark_of_another_version_that_runs_already_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = SimpleNamespace(version="3.5.6-amzn-1")
    monkeypatch.setattr(SparkContext, "_active_spark_context", object())
    monkeypatch.setattr(SparkSession.Builder, "getOrCreate", lambda _: found)
    with pytest.raises(VersionProblem, match=r"pyspark 3\.5\.6-amzn-1 was never tested"):
        open_session(HERE)
