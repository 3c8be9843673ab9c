"""Processes by number and start, the machine on which a number means something; new Pythons."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path


def python(module: str, function: str) -> list[str]:
    """The command that calls the function in a Python of its own, arguments to follow.

    Its modules are those of an installed command: a project's own secrets.py, in the current
    folder, is none of them.
    """
    code = f"""import sys
sys.path[:] = [place for place in sys.path if place]
from {module} import {function}
sys.exit({function}())"""
    return [sys.executable, "-c", code]


def began(process: int) -> str | None:
    """When the process of this number started, in its system's words; None where none runs.

    Numbers of processes come again; with its start, a process is told from a later one.
    """
    if not Path("/proc/self").exists():
        return _told_by_ps(process)
    with suppress(OSError):
        told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return None if told[0] in "ZX" else told[19]
    return None


def runs(process: int, start: str | None) -> bool:
    """Whether the process of this number is the one that began then."""
    return start is not None and began(process) == start


def _told_by_ps(process: int) -> str | None:
    command = ["ps", "-ww", "-o", "stat=,lstart=", "-p", str(process)]
    alike = {**os.environ, "LC_ALL": "C", "TZ": "UTC"}  # whoever asks
    shown = subprocess.run(command, capture_output=True, text=True, check=False, env=alike).stdout
    state, _, start = shown.strip().partition(" ")
    return None if state.startswith("Z") else start.strip() or None


def this_machine() -> dict[str, str]:
    """`host`: its name; `boot`: its system since it started; `numbers`: whose processes they are.

    What a system does not tell is "".
    """
    return {"host": platform.node(), "boot": _boot(), "numbers": _numbers()}


def are_elsewhere(machine: Mapping[str, str], *, held: bool) -> bool:
    """Whether processes of that machine may run where they cannot be asked from here.

    `held`: whether a lock that they hold while they run is held, as this system sees it.
    A host gets another name while it runs, and a container is made anew. A lock that is free says
    of this system alone that nobody has it: those of other hosts need not be seen on a shared disk.
    """
    here = this_machine()
    differ = {name for name in here if here[name] != machine[name]}
    return not differ.isdisjoint({"boot", "numbers"}) if held else {"boot", "host"} <= differ


def _boot() -> str:
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    with suppress(OSError):
        command = ["sysctl", "-n", "kern.bootsessionuuid"]  # macOS
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return ""


def _numbers() -> str:
    """A container has numbers of its own."""
    with suppress(OSError):
        return os.readlink("/proc/self/ns/pid")
    return ""
