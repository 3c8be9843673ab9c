"""What a warm Spark has on disk."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
from warm_folders import shaken

from dbt.adapters.deltaspark.session import handshake, keeper, processes, warm


def test_git_takes_no_notice_of_the_secret_also_where_the_folder_is_older(tmp_path: Path) -> None:
    folder = tmp_path / "metastore/warm"
    folder.mkdir(mode=0o700, parents=True)
    handshake.make(folder)
    handshake.private(folder / handshake.FILE).close()
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    shown = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=tmp_path, check=True, capture_output=True
    )
    assert shown.stdout == b""
    assert stat.S_IMODE((folder / ".gitignore").stat().st_mode) == 0o600


def test_a_spark_whose_keeper_keeps_another_folder_is_let_be(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as keeper:
        start = processes.began(keeper.pid)
        shaken(tmp_path / "shop", keeper=keeper.pid, keeper_began=start)
        with handshake.locked(tmp_path / "shop" / handshake.KEEPER):
            shutil.copytree(tmp_path / "shop", tmp_path / "copy")
            assert warm._answering(tmp_path / "copy", print) is None
        assert keeper.poll() is None
        keeper.kill()
    assert handshake.read(tmp_path / "copy") is None
    assert handshake.read(tmp_path / "shop") is not None


def test_what_cannot_be_read_is_removed_so_that_its_keeper_ends(tmp_path: Path) -> None:
    handshake.make(tmp_path / "shop")
    with handshake.private(tmp_path / "shop" / handshake.FILE) as half_written:
        half_written.write('{"port": 1')
    assert warm._answering(tmp_path / "shop", print) is None
    assert not (tmp_path / "shop" / handshake.FILE).exists()


def test_what_cannot_be_read_now_is_not_taken_for_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop"
    own = shaken(folder)

    def too_many(*_: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    with monkeypatch.context() as limited:
        limited.setattr(Path, "open", too_many)
        with pytest.raises(OSError, match="Too many open files"):
            warm._answering(folder, print)
        assert keeper._is_offered(folder, own)
    assert handshake.read(folder) == own
    handshake.remove(folder)
    assert not keeper._is_offered(folder, own)


def test_a_process_that_began_at_another_time_is_not_ended(tmp_path: Path) -> None:
    warm.end(tmp_path / "shop", shaken(tmp_path / "shop"), patience=0)  # its number is ours
    assert handshake.read(tmp_path / "shop") is None


def test_a_process_is_its_number_and_its_start() -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        start = processes.began(process.pid)
        assert start is not None
        assert processes.began(process.pid) == start
        process.kill()
        process.wait()
        assert processes.began(process.pid) is None


@pytest.mark.parametrize(
    ("differ", "while_held", "when_free"),
    [
        ((), False, False),
        (("host",), False, False),  # it got another name
        (("boot",), True, False),  # it was started anew, or another host has its name
        (("host", "numbers"), True, False),  # a container and the next one
        (("host", "boot", "numbers"), True, True),  # another host, whose lock need not be seen
    ],
)
def test_a_spark_is_elsewhere_as_its_machine_and_its_lock_say(
    differ: tuple[str, ...], while_held: bool, when_free: bool
) -> None:
    machine = processes.this_machine() | dict.fromkeys(differ, "another")
    assert processes.are_elsewhere(machine, held=True) is while_held
    assert processes.are_elsewhere(machine, held=False) is when_free


def test_what_a_container_left_that_was_made_anew_is_cleared_away(tmp_path: Path) -> None:
    another = {"host": "another", "numbers": "another"}
    shaken(tmp_path, machine=processes.this_machine() | another)
    warned: list[str] = []
    assert warm._answering(tmp_path, warned.append) is None
    assert warned == ["The warm Spark is gone, or answers no more: another one is started"]
    assert not (tmp_path / handshake.FILE).exists()
