"""What a warm Spark leaves on disk, without the Spark."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dbt.adapters.deltaspark.session import handshake, processes
from dbt.adapters.deltaspark.session.handshake import Handshake


def shaken(folder: Path, **others: Any) -> Handshake:
    """The handshake of a folder whose keeper's and JVM's number is this process's."""
    handshake.make(folder)
    mine = os.getpid()
    told: dict[str, Any] = {
        "port": 1,
        "secret": "s",
        "machine": processes.this_machine(),
        "keeper": mine,
        "keeper_began": "1",
        "jvm": mine,
        "jvm_began": None,
        "started": 0.0,
        "keep_alive": 1.0,
        "versions": {},
        "confs": {},
    }
    made = Handshake(**{**told, **others})
    handshake.write(folder, made)
    return made
