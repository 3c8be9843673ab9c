"""The keeper of a warm Spark: what it says to who asked for it, and what it leaves."""

from __future__ import annotations

import io
import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest
from warm_folders import shaken

from dbt.adapters.deltaspark.session import handshake, keeper


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The Sparks that it has ended; it is asked for one in the folder `warm`, without a JVM."""
    ended: list[object] = []
    own = shaken(tmp_path / "warm")
    handshake.remove(tmp_path / "warm")
    asked = {"folder": str(tmp_path / "warm"), "settings": {}}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(asked)))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(keeper, "_say_in", lambda _: None)
    monkeypatch.setattr(keeper, "settings_of", lambda _: None)
    monkeypatch.setattr(keeper, "open_session", lambda _: "a session")
    monkeypatch.setattr(keeper, "_handshake", lambda _: own)
    monkeypatch.setattr(keeper, "end_jvm", lambda session, _: ended.append(session))
    return ended


def test_where_who_asked_was_killed_it_ends_its_spark_and_takes_its_handshake_away(
    ended: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = os.pipe()
    os.close(read)
    monkeypatch.setattr(os, "dup", lambda _: write)
    with pytest.raises(BrokenPipeError):
        keeper.main()
    assert ended == ["a session"]
    assert handshake.read(tmp_path / "warm") is None


def test_who_asked_is_told_that_an_earlier_keeper_does_not_end(
    ended: list[object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, write = os.pipe()
    monkeypatch.setattr(os, "dup", lambda _: write)
    monkeypatch.setattr(handshake, "LONGEST", 0.1)
    with handshake.locked(tmp_path / "warm" / handshake.KEEPER):
        assert keeper.main() == 1
    with os.fdopen(read) as answered:
        told: dict[str, Any] = json.loads(answered.readline())
    assert told["problem"] == "session"
    assert "keeper.lock is held by another process" in told["text"]
    assert ended == []
