"""`deltaspark status`, `start` and `stop`, also where something is wrong with a warm Spark."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from warm_folders import shaken

from dbt.adapters.deltaspark.session import commands, handshake, processes, warm
from dbt.adapters.deltaspark.session.class_archive import FOLDER

FIGURES = ("heap", "most", "sessions", "jobs")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that is listed as a warm Spark's, and in which the command is called."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(warm, "PATIENCE", 0.2)
    with handshake.listed(tmp_path / "warm"):
        yield tmp_path / "warm"


def test_status_of_a_spark_that_hangs_says_so_and_ends(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as hanging:
        shaken(folder, port=hanging.getsockname()[1])
        with handshake.locked(folder / handshake.KEEPER):
            assert commands.main(["status"]) == 0
    assert "it has not answered for 0 s" in capsys.readouterr().out


def test_status_tells_what_the_jvm_holds_and_does_who_uses_it_and_its_log(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    held = {"heap": 310, "most": 1024, "sessions": 7, "jobs": 2}

    def figures(_: handshake.Handshake) -> dict[str, int]:
        assert handshake.is_held(folder / handshake.START), "the keeper may let go of what is asked"
        return held

    monkeypatch.setattr(commands, "figures", figures)
    shaken(folder, jvm=4711, keep_alive=1800.0, started=time.time() - 240)
    handshake.register(folder)
    try:
        with handshake.locked(folder / handshake.KEEPER):
            assert commands.main(["status"]) == 0
    finally:
        handshake.withdraw()
    assert capsys.readouterr().out.splitlines() == [
        str(Path.cwd()),
        f"  JVM 4711, keeper {os.getpid()}, started 4 min ago, ends 30 min after its last use",
        "  heap 310 of 1024 MB, 7 sessions, 2 running jobs",
        f"  used by dbt-{os.getpid()}",
        f"  log: {folder / handshake.LOG}",
    ]


def test_status_in_a_folder_of_links_is_about_the_project_they_lead_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shop, links = folder.parent, folder.parent / "links"
    (shop / "dbt_project.yml").touch()
    links.mkdir()
    (links / "dbt_project.yml").symlink_to(shop / "dbt_project.yml")
    monkeypatch.chdir(links)
    monkeypatch.setattr(commands, "figures", lambda _: dict.fromkeys(FIGURES, 0))
    shaken(folder)
    with handshake.locked(folder / handshake.KEEPER):
        assert commands.main(["status"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == str(shop)


class Debug:
    """`dbt debug`, which ends with this code."""

    def __init__(self, code: int) -> None:
        self.code, self.asked = code, [""]

    def __call__(self, command: list[str], *, check: bool) -> subprocess.CompletedProcess[bytes]:
        self.asked = command[1:]
        return subprocess.CompletedProcess(command, self.code)


def test_start_is_a_dbt_debug_and_says_where_no_spark_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(subprocess, "run", debug := Debug(0))
    assert commands.main(["start"]) == 1
    assert debug.asked == [*processes.python("dbt.cli.main", "cli")[1:], "debug", "--connection"]
    assert "the profile's target has no `keep_alive: 30m`" in capsys.readouterr().out


def test_start_is_led_astray_by_no_module_of_the_project_that_python_has_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    for name in ("secrets", "types"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the project has run')")
    assert commands.main(["start"]) == 1
    shown = "".join(capfd.readouterr())
    assert "the project has run" not in shown
    assert "dbt_project.yml" in shown


def test_start_ends_as_its_dbt_debug_does(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shaken(folder)
    with handshake.locked(folder / handshake.KEEPER):
        for code in (0, 2):
            monkeypatch.setattr(subprocess, "run", Debug(code))
            assert commands.main(["start"]) == code
    assert capsys.readouterr().out == ""


def test_a_jvm_that_outlived_its_keeper_is_shown_and_stopped(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with subprocess.Popen(["sleep", "60"]) as jvm:
        shaken(folder, jvm=jvm.pid, jvm_began=processes.began(jvm.pid))
        assert commands.main(["status"]) == 0
        assert commands.main(["stop"]) == 0
        assert jvm.wait(timeout=10) == -signal.SIGKILL
    assert f"Stopped the Spark of {Path.cwd()} (JVM {jvm.pid})" in capsys.readouterr().out
    assert commands.main(["status"]) == 1


def test_a_number_that_another_process_has_by_now_is_neither_shown_nor_stopped(
    folder: Path,
) -> None:
    with subprocess.Popen(["sleep", "60"]) as another:
        shaken(folder, jvm=another.pid, jvm_began="1")
        assert commands.main(["stop"]) == 1
        assert another.poll() is None
        another.kill()


def test_stop_while_another_process_starts_one_says_who_is_waited_for(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(handshake, "LONGEST", 0.1)
    shaken(folder)
    with (
        handshake.locked(folder / handshake.KEEPER),
        handshake.locked(folder / handshake.START),
    ):
        assert commands.main(["stop"]) == 1
    assert "has been starting or ending a warm Spark" in capsys.readouterr().out


def test_one_that_cannot_be_stopped_keeps_none_of_the_others_from_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(handshake, "LONGEST", 0.1)
    another, registered = folder.with_name("next"), handshake.registry()
    assert registered is not None
    (own,) = registered.iterdir()
    entry = {**json.loads(own.read_text()), "folder": str(another), "project": "/next"}
    (registered / "next").write_text(json.dumps(entry))  # after those of processes, by its name
    shaken(folder)
    with (
        subprocess.Popen(["sleep", "60"]) as jvm,
        handshake.locked(folder / handshake.KEEPER),
        handshake.locked(folder / handshake.START),
    ):
        shaken(another, jvm=jvm.pid, jvm_began=processes.began(jvm.pid))
        assert commands.main(["stop", "--all"]) == 1
        assert jvm.wait(timeout=10) == -signal.SIGKILL
    told = capsys.readouterr().out
    assert told.index("has been starting or ending a warm Spark") < told.index("Spark of /next")


def test_a_clock_that_was_set_back_makes_no_age_below_nothing(tmp_path: Path) -> None:
    assert warm.age(shaken(tmp_path, started=time.time() + 3600)) == "0 s"


def listings() -> list[Path]:
    registered = handshake.registry()
    assert registered is not None
    return sorted(registered.iterdir())


def test_two_machines_list_theirs_in_one_home_though_their_keepers_have_one_number(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shaken(folder)
    here = processes.this_machine()
    there = {name: f"another {name}" for name in here}
    with monkeypatch.context() as on_another_machine:
        on_another_machine.setattr(processes, "this_machine", lambda: there)
        entered = handshake.listed(Path("/only/there"))
        entered.__enter__()
    assert len(listings()) == 2
    with handshake.locked(folder / handshake.KEEPER):
        assert commands.main(["status", "--all"]) == 0
    assert capsys.readouterr().out.count(", keeper ") == 1
    assert len(listings()) == 2, "its lock is not seen from here"
    entered.__exit__(None, None, None)
    assert len(listings()) == 1


def test_what_a_killed_keeper_has_listed_shows_not_the_next_one_again(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shaken(folder)
    (own,) = listings()
    killed = {**json.loads(own.read_text()), "keeper": 1}
    own.with_name("1-killed").write_text(json.dumps(killed))
    with handshake.locked(folder / handshake.KEEPER):
        assert commands.main(["status"]) == 0
    assert capsys.readouterr().out.count(", keeper ") == 1
    assert listings() == [own]
