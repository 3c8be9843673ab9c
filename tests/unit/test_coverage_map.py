"""COVERAGE.md maps Delta's own MERGE tests to ours; every case and every file in it exists."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
ENGINE_TESTS = ROOT / "tests/engine"
MAP, _, LEFT_OUT = (ENGINE_TESTS / "COVERAGE.md").read_text().partition("\n## Left out\n")


def held_by() -> Iterator[str]:
    """What the last column of the map's rows names in backquotes."""
    for line in MAP.splitlines():
        if line.startswith("|"):
            yield from re.findall(r"`([^`]+)`", line.rstrip("| ").rpartition(" | ")[2])


@pytest.fixture
def titles(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    monkeypatch.syspath_prepend(str(ENGINE_TESTS))
    return {case.title for case in importlib.import_module("cases").CASES}


def test_every_golden_case_in_the_map_exists(titles: set[str]) -> None:
    named = {name for name in held_by() if not name.endswith(".py")}
    assert named - titles == set()


def test_every_file_in_the_map_exists() -> None:
    files = {name for name in held_by() if name.endswith(".py")}
    found = {name for name in files if (ROOT / name).exists() or (ENGINE_TESTS / name).exists()}
    assert files - found == set()


def test_the_map_says_what_is_left_out() -> None:
    assert "| what | why |" in LEFT_OUT
