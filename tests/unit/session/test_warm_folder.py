"""`keep_alive` where a folder is no private one, or has no locks: it is told, and Spark starts."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dbt.adapters.deltaspark.session import (
    SessionError,
    SessionSettings,
    handshake,
    warm,
    warm_folder,
)
from dbt.adapters.deltaspark.session.class_archive import FOLDER


@pytest.fixture
def settings(tmp_path: Path) -> SessionSettings:
    places = {"warehouse": str(tmp_path / "w"), "metastore": str(tmp_path / "m")}
    return SessionSettings(**places, master="local[2]", keep_alive=600)


@pytest.fixture
def no_other_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm, "_started", lambda *_: pytest.fail("one was started"))


def shown_as(monkeypatch: pytest.MonkeyPatch, **changed: int) -> None:
    """Every file and folder looks so, as on a file system that keeps no owners and modes."""

    def changing(seen: Callable[..., os.stat_result]) -> Callable[..., os.stat_result]:
        def look(*arguments: Any, **options: Any) -> os.stat_result:
            found = list(seen(*arguments, **options))
            found[stat.ST_MODE] |= changed.get("mode", 0)
            found[stat.ST_UID] = changed.get("owner", found[stat.ST_UID])
            return os.stat_result(found)

        return look

    monkeypatch.setattr(Path, "lstat", changing(Path.lstat))
    monkeypatch.setattr(os, "fstat", changing(os.fstat))


@pytest.mark.usefixtures("no_other_spark")
@pytest.mark.parametrize("shown", [{"mode": 0o777}, {"owner": os.getuid() + 1}], ids=str)
def test_without_owners_or_modes_spark_ends_with_the_process_in_one_warning(
    shown: dict[str, int], settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown_as(monkeypatch, **shown)
    warned: list[str] = []
    assert warm.warm_session(settings, pytest.fail, warned.append) is None
    assert len(warned) == 1
    assert "m/warm, which would hold its secret, is open to other users (mode 7" in warned[0]
    assert "`chmod 700` closes it, where its disk keeps modes" in warned[0]
    assert "Ways out: a folder in `metastore` whose disk keeps modes and locks (W" in warned[0]


@pytest.mark.usefixtures("no_other_spark")
@pytest.mark.parametrize("answer", ["ENOSYS", "ENOTSUP", "ENOLCK", "EINVAL"])
def test_so_it_does_without_locks(
    answer: str, settings: SessionSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(*_: object) -> None:
        number = getattr(errno, answer)
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(fcntl, "flock", flock)
    warned: list[str] = []
    assert warm.warm_session(settings, pytest.fail, warned.append) is None
    reason = os.strerror(getattr(errno, answer))
    assert f"m/warm has no locks ({reason})" in warned[0]


@pytest.mark.usefixtures("no_other_spark")
def test_a_folder_that_its_user_has_opened_to_others_takes_no_secret(
    settings: SessionSettings, tmp_path: Path
) -> None:
    (tmp_path / "m/warm").mkdir(parents=True)
    (tmp_path / "m/warm").chmod(0o750)
    warned: list[str] = []
    assert warm.warm_session(settings, pytest.fail, warned.append) is None
    assert "is open to other users (mode 750" in warned[0]
    assert list((tmp_path / "m/warm").iterdir()) == []


@pytest.mark.usefixtures("no_other_spark")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_an_error(settings: SessionSettings, tmp_path: Path) -> None:
    (tmp_path / "m/warm").mkdir(parents=True)
    os.chown(tmp_path / "m/warm", 65534, 65534)
    (tmp_path / "m/warm").chmod(0o777)
    with pytest.raises(SessionError, match=r"m/warm cannot be used by this user \(it is another u"):
        warm.warm_session(settings, pytest.fail, pytest.fail)


@pytest.mark.usefixtures("no_other_spark")
def test_where_the_catalog_is_elsewhere_a_cache_that_cannot_be_written_to_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cache").touch()
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    elsewhere = SessionSettings(metastore="thrift://host:9083", keep_alive=600)
    warned: list[str] = []
    assert warm.warm_session(elsewhere, pytest.fail, warned.append) is None
    assert "cannot be used by this user (Not a directory)" in warned[0]
    assert "Ways out: a folder in DBT_DELTASPARK_CACHE whose disk" in warned[0]


def test_an_error_in_time_of_what_is_done_alone_is_not_one_of_its_lock(tmp_path: Path) -> None:
    handshake.make(tmp_path / "warm")
    with pytest.raises(TimeoutError, match="of the network"), warm_folder.alone(tmp_path / "warm"):
        raise TimeoutError("of the network")
