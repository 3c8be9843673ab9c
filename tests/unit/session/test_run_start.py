"""What on-run-start cannot hand on to the sessions of its run."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from dbt.adapters.deltaspark.session import RunStart, SessionConnection, SessionError, run_start

ITS_HOOK = {"node_name": "a_project-on-run-start-1"}
NO_SESSION: Any = None
DECLARES = "/* dbt */ -- of the run\nDeclare or replace variable a int"


def connection() -> SessionConnection:
    return SessionConnection(NO_SESSION, "spark_catalog", "s")


@pytest.mark.parametrize("sql", [DECLARES, "set var a = 1", "SET VARIABLE (a, b) = (select 1, 2)"])
def test_a_variable_over_spark_connect_is_refused_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.setattr(run_start, "is_remote", lambda: True)
    with pytest.raises(SessionError, match="sql_header or\\s+pre_hook of each model that reads it"):
        RunStart().note(connection(), ITS_HOOK, sql)


@pytest.mark.parametrize("name", ["a_project-on-run-end-0", "a_model", "an-on-run-start-model"])
def test_what_others_set_is_their_own(name: str) -> None:
    held = RunStart()
    held.note(connection(), {"node_name": name}, "set a = 1")
    assert held.connection() is None


def test_a_server_is_asked_for_its_session_until_the_run_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run_start, "is_remote", lambda: True)
    monkeypatch.setattr(run_start, "SIGN_OF_LIFE", 0.01)
    asked = threading.Semaphore(0)

    def get(_: str) -> str:
        asked.release()
        raise OSError("no answer")

    session: Any = SimpleNamespace(conf=SimpleNamespace(get=get))
    held, used = RunStart(), SessionConnection(session, "spark_catalog", "s")
    for _ in range(2):
        held.note(used, ITS_HOOK, "set a = 1")
    (at_work,) = [each for each in threading.enumerate() if each.name == "on-run-start"]
    assert all(asked.acquire(timeout=60) for _ in range(3))
    held.end()
    at_work.join(60)
    assert not at_work.is_alive()
