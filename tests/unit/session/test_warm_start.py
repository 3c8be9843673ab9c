"""How a warm Spark is found, refused, replaced or started, and what is told of it."""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from dbt.adapters.exceptions.connection import FailedToConnectError
from dbt_common.events.event_manager_client import add_callback_to_manager
from pyspark import SparkContext
from warm_folders import shaken

from dbt.adapters.deltaspark.connections import DeltaSparkConnectionManager
from dbt.adapters.deltaspark.credentials import DeltaSparkCredentials
from dbt.adapters.deltaspark.session import (
    SessionError,
    SessionSettings,
    environment,
    handshake,
    lost,
    processes,
    spark,
    start,
    warm,
)
from dbt.adapters.deltaspark.session.class_archive import FOLDER


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SessionSettings:
    """Of a process that has no Spark."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(SparkContext, "_gateway", None)
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    places = {"warehouse": str(tmp_path / "w"), "metastore": str(tmp_path / "m")}
    return SessionSettings(**places, master="local[2]", keep_alive=600)


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every warm Spark answers, and this process uses it beside asking for one."""
    monkeypatch.setattr(warm, "_answer", lambda _: "!yv")
    monkeypatch.setattr(warm, "attach", lambda *_: pytest.fail("it attached"))
    yield
    handshake.withdraw()


def folder_of(settings: SessionSettings) -> Path:
    folder = handshake.folder_of(settings)
    assert folder is not None
    return folder


def test_a_warm_spark_that_died_is_told_in_one_warning_of_dbt(
    settings: SessionSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise SessionError("no Spark starts here")

    monkeypatch.setattr(environment, "check_machine", lambda: None)
    monkeypatch.setattr(warm, "_started", fails)
    shaken(folder_of(settings))
    told: list[tuple[str, str]] = []
    add_callback_to_manager(lambda event: told.append((event.info.level, event.info.msg)))
    keys = {"warehouse": settings.warehouse, "metastore": settings.metastore}
    kept = {"schema": "shop", "keep_alive": "10m", "keep_alive_in_ci": True}
    credentials = DeltaSparkCredentials.from_dict({**kept, **keys})
    profile: Any = SimpleNamespace(credentials=credentials, project_root=tmp_path)
    manager = DeltaSparkConnectionManager(profile, multiprocessing.get_context("spawn"))
    with pytest.raises(FailedToConnectError, match="no Spark starts here"):
        manager.open(manager.set_connection_name("model.shop.orders"))
    warned = [text for level, text in told if level == "warn"]
    assert len(warned) == 1
    assert "The warm Spark is gone, or answers no more: another one is started" in warned[0]


@pytest.mark.parametrize("name", ["Java", "Spark", "pyspark", "delta-spark"])
def test_a_spark_of_another_version_is_refused_while_it_is_used(
    name: str, settings: SessionSettings, busy: None
) -> None:
    folder = folder_of(settings)
    shaken(folder, versions={**warm.versions(), name: "another"})
    handshake.register(folder)
    with (
        handshake.locked(folder / handshake.KEEPER),
        pytest.raises(SessionError, match=f"started otherwise: {name} is 'another' there, "),
    ):
        warm.warm_session(settings, print, print)


def test_without_an_embedded_catalog_a_second_spark_runs_beside_a_busy_one_that_differs(
    settings: SessionSettings, busy: None
) -> None:
    elsewhere = SessionSettings(metastore="thrift://host:9083", keep_alive=600)
    folder = folder_of(elsewhere)
    found = shaken(folder, versions={**warm.versions(), "Java": "another"})
    handshake.register(folder)
    said: list[str] = []
    with handshake.locked(folder / handshake.KEEPER):
        assert warm.warm_session(elsewhere, said.append, pytest.fail) is None
    assert said[0].startswith("A second Spark is started: the warm one is in use, and was started")
    assert "Java is 'another' there" in said[0]
    assert handshake.read(folder) == found


def test_it_is_told_how_long_spark_took_to_start(
    settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    session: Any = object()
    found = shaken(folder_of(settings))
    handshake.remove(folder_of(settings))
    monkeypatch.setattr(warm, "_started", lambda *_: found)
    monkeypatch.setattr(warm, "_fitting", lambda *_: (session, []))
    said: list[str] = []
    assert warm.warm_session(settings, said.append, pytest.fail) is session
    assert said[0] == "Starting Spark, which stays warm"
    assert re.fullmatch(r"Spark started in \d+\.\d s", said[-1])


def test_so_it_is_of_a_spark_that_ends_with_its_process(
    settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    session: Any = object()
    monkeypatch.setattr(start, "_start", lambda _: session)
    said: list[str] = []
    assert start.own_session(settings, said.append) is session
    assert said[0] == "Starting Spark"
    assert re.fullmatch(r"Spark started in \d+\.\d s", said[-1])


def test_a_spark_that_is_there_is_named_with_its_age(
    settings: SessionSettings, busy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    session: Any = object()
    folder = folder_of(settings)
    shaken(folder, jvm=4711, started=2e10)
    monkeypatch.setattr(warm, "_fitting", lambda *_: (session, []))
    said: list[str] = []
    with handshake.locked(folder / handshake.KEEPER):
        assert warm.warm_session(settings, said.append, pytest.fail) is session
    assert said == ["Using the warm Spark (JVM 4711), which was started 0 s ago"]


@pytest.mark.parametrize("settings_are", ["short", "longer than what a pipe holds"])
def test_of_a_keeper_that_ends_at_once_the_log_is_named(
    settings_are: str, settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    confs = {"spark.mine": "x" * (1 if settings_are == "short" else 1 << 20)}
    folder = folder_of(settings)
    handshake.make(folder)
    fails = [sys.executable, "-c", "raise SystemExit('no such module')"]
    monkeypatch.setattr(processes, "python", lambda *_: fails)
    with pytest.raises(SessionError, match=r"its process ended\nIts log: .*/warm/spark\.log"):
        warm._started(folder, settings, confs)
    assert "no such module" in (folder / handshake.LOG).read_text()


def test_a_spark_whose_settings_have_changed_while_it_started_is_told_with_the_way_out(
    settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = shaken(folder_of(settings))
    handshake.remove(folder_of(settings))
    monkeypatch.setattr(warm, "_started", lambda *_: found)
    monkeypatch.setattr(warm, "_fitting", lambda *_: (None, ["the file /jars/mine.jar differs"]))
    with pytest.raises(SessionError, match=r": the file /jars/mine\.jar differs.*Try again"):
        warm.warm_session(settings, lambda _: None, pytest.fail)


def test_a_process_whose_own_spark_was_stopped_uses_the_warm_one(
    settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark, "warm_session", lambda *_: "a warm session")
    idle = SimpleNamespace(proc=None)
    monkeypatch.setattr(SparkContext, "_gateway", idle)
    assert spark._warm(settings, print, print) is None, "somebody else has started the JVM"
    idle.proc = "a process"
    monkeypatch.setattr(lost, "end_jvm", lambda *_: None)
    monkeypatch.setattr(lost, "detach", lambda: setattr(SparkContext, "_gateway", None))
    assert spark._warm(settings, print, print) == "a warm session"


def test_a_process_that_cannot_ask_ends_no_spark(
    settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(settings)
    shaken(folder)

    def create_connection(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr(socket, "create_connection", create_connection)
    monkeypatch.setattr(warm, "end", lambda *_, **__: pytest.fail("it was ended"))
    with (
        handshake.locked(folder / handshake.KEEPER),
        pytest.raises(OSError, match="Too many open files"),
    ):
        warm.warm_session(settings, lambda _: None, pytest.fail)
