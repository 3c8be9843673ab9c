"""What on-run-start cannot hand on to the sessions of its run."""

from __future__ import annotations

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
