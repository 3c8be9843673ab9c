"""Which embedded catalogs are moved away before Spark starts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dbt.adapters.deltaspark.session.half_made import set_aside

HOLDING = """
import fcntl, sys
opened = open(sys.argv[1], "r+b")
fcntl.lockf(opened, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """As a kill leaves it while Derby makes its own files."""
    folder = tmp_path / "derby"
    (folder / "seg0").mkdir(parents=True)
    (folder / "seg0" / "c481.dat").touch()
    (folder / "dbex.lck").touch()
    os.utime(folder / "dbex.lck", (0, 0))
    return folder


def test_one_that_derby_has_not_finished_is_moved_and_its_new_place_told(database: Path) -> None:
    warned: list[str] = []
    set_aside(database.parent, warned.append)
    (moved,) = database.parent.iterdir()
    assert moved.name.startswith("derby-half-made-")
    assert (moved / "seg0" / "c481.dat").is_file()
    assert f"the old one is now {moved}" in warned[0]


@pytest.mark.parametrize("file", ["service.properties", "service.propertiesold", "seg0/c490.dat"])
def test_one_that_was_finished_or_has_tables_stays(database: Path, file: str) -> None:
    (database / file).touch()
    warned: list[str] = []
    set_aside(database.parent, warned.append)
    assert database.is_dir() and warned == []


def test_one_that_was_begun_just_now_stays(database: Path) -> None:
    (database / "dbex.lck").touch()
    set_aside(database.parent, pytest.fail)
    assert database.is_dir()


def test_one_that_another_process_makes_stays(database: Path) -> None:
    command = [sys.executable, "-c", HOLDING, str(database / "dbex.lck")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as maker:
        assert maker.stdout is not None and maker.stdout.readline() == b"held\n"
        set_aside(database.parent, pytest.fail)
        assert database.is_dir()
        maker.communicate()


def test_where_there_is_no_embedded_catalog_nothing_is_done(tmp_path: Path) -> None:
    set_aside(None, pytest.fail)
    set_aside(tmp_path, pytest.fail)
    set_aside(tmp_path / "not_there", pytest.fail)
