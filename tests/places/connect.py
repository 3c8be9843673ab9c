"""A Spark Connect server on loopback: `make test-connect`, beside what over_connect.py runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import servers
from every_strategy import Tables, built

if TYPE_CHECKING:
    from pathlib import Path


def test_two_builds_leave_what_embedded_ones_leave(
    tmp_path: Path, project: Path, embedded: Tables
) -> None:
    with servers.connect(tmp_path) as url:
        target = {"type": "deltaspark", "schema": "shop", "remote": url, "threads": 2}
        assert built(target, project) == embedded
