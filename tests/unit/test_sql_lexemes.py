"""How comments of SQL are read: each in one way, so that none takes long."""

from __future__ import annotations

import pytest

from dbt.adapters.deltaspark.session import run_start, views

LONG = [
    "-" * 300,
    "-- " * 100,
    "--\t" * 100,
    "-- a \\\n" * 100,
    "--\\\n" * 100,
    "/**/" * 100,
    "/* a */ /* b /* c */ */ -- d\n" * 50,
    "/*/**/" * 50,
]
"""Comments that could be parted in more ways than there is time for."""


@pytest.mark.parametrize("comment", LONG, ids=range(len(LONG)))
def test_what_begins_with_long_comments_is_known_at_once(comment: str) -> None:
    assert not views.replaces_a_view(f"{comment}\n\nselect 1")
    assert run_start.OF_A_VARIABLE.match(f"{comment}\n\nselect 1") is None


@pytest.mark.parametrize("comment", LONG[:-1], ids=range(len(LONG) - 1))
def test_and_is_what_it_is_behind_them(comment: str) -> None:
    assert views.replaces_a_view(f"{comment}\n\ncreate or replace view v as select 1")
    assert run_start.OF_A_VARIABLE.match(f"{comment}\n\nset var a = 1") is not None


def test_a_line_s_comment_goes_on_behind_a_backslash() -> None:
    assert not views.replaces_a_view("-- a \\\ncreate or replace view v as select 1")
