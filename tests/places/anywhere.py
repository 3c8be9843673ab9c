"""Two projects, wherever Spark runs: each place holds what the others hold (`make places`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import every_strategy
import flights_project
import pytest
from dbt_runs import agree
from places import cluster, connect, embedded, notebook, submit

if TYPE_CHECKING:
    from pathlib import Path

    from places import PlaceIn


@pytest.mark.parametrize("place", [embedded, connect, cluster, submit, notebook])
def test_every_strategy(tmp_path: Path, project: Path, place: PlaceIn) -> None:
    with place(tmp_path) as here:
        agree("strategies", every_strategy.built(here, project), embedded=place is embedded)


@pytest.mark.parametrize("place", [embedded, connect, cluster, submit])
def test_the_flights(tmp_path: Path, project: Path, place: PlaceIn) -> None:
    with place(tmp_path) as here:
        agree("flights", flights_project.built(here, project), embedded=place is embedded)
