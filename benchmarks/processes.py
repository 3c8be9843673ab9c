"""Phases in processes of their own, and the machine they run on."""

from __future__ import annotations

import multiprocessing
import os
import platform
import re
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

PACKAGES = ("pyspark", "delta-spark", "deltalake")


def in_fresh_process(call: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """The call's result, from a Python that has started nothing else and ends with it."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        return pool.submit(call, *args, **kwargs).result()


def peak_resident_mb(process: int | None = None) -> int:
    """The most memory that a process (without a number: this one) ever had of the machine."""
    status = Path(f"/proc/{process or 'self'}/status")
    if not status.exists():
        raise SystemExit(f"--memory needs Linux: {status} is where a process's peak is read")
    return int(re.findall(r"VmHWM:\s+(\d+) kB", status.read_text())[0]) // 1024


def machine() -> dict[str, str]:
    """What a figure should be read with."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = {package: version(package) for package in PACKAGES}
    host = {"cores": str(os.cpu_count()), "memory": f"{memory:.0f} GiB"}
    return {**host, "system": platform.platform(), "python": platform.python_version(), **versions}
