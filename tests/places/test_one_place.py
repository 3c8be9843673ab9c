"""The project with every strategy in one of the places that take less than three minutes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import every_strategy
import pytest
from dbt_runs import agree
from places import connect, notebook, submit

if TYPE_CHECKING:
    from pathlib import Path

    from places import PlaceIn


@pytest.mark.share(3)
@pytest.mark.parametrize("place", [connect, submit, notebook])
def test_two_builds_leave_the_same(tmp_path: Path, project: Path, place: PlaceIn) -> None:
    with place(tmp_path) as here:
        agree("strategies", every_strategy.built(here, project))
