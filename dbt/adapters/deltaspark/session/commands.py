"""`deltaspark status`, `start` and `stop`: the Sparks that stay warm for the next dbt command."""

from __future__ import annotations

import subprocess
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from py4j.protocol import Py4JError

from . import handshake, processes, warm
from .attach import figures
from .handshake import Handshake
from .jvm_start import in_time
from .project_folder import real_folder

Running = tuple[Path, Path, Handshake]


def main(arguments: list[str] | None = None) -> int:
    """The console command; its exit code is 1 where there is nothing to show or to stop."""
    options = _parsed(arguments)
    if options.command == "start":
        return start()
    found = [each for each in handshake.running() if options.all or _is_here(each)]
    if not found:
        where = "on this machine" if options.all else f"in {Path.cwd()} (--all: of all projects)"
        print(f"No Spark of yours is warm {where}.")
        return 1
    told = [_printed(shown if options.command == "status" else stopped, each) for each in found]
    return 0 if all(told) else 1


def _printed(answer: Callable[[Running], str], running: Running) -> bool:
    """Whether it was answered for this one; if not, the others' turns come all the same."""
    try:
        print(answer(running))
    except OSError as error:  # somebody starts or ends one there, or its folder is gone by now
        print(error)
        return False
    return True


def start() -> int:
    """What `dbt debug` starts in this folder's project, if its profile has keep_alive."""
    debug = [*processes.python("dbt.cli.main", "cli"), "debug", "--connection"]
    code = subprocess.run(debug, check=False).returncode
    if code == 0 and not any(map(_is_here, handshake.running())):
        print("Spark does not stay warm: the profile's target has no `keep_alive: 30m`.")
        return 1
    return code


def _is_here(running: Running) -> bool:
    """Whether it was started in this folder, or for a project that lies in it."""
    project, folder, _ = running
    here = real_folder(Path.cwd())
    return project == here or here in folder.parents


def shown(running: Running) -> str:
    project, folder, found = running
    users, age = handshake.users(folder), warm.age(found)
    said: list[str] = []
    in_time(lambda: said.append(_said(folder, found)), warm.PATIENCE)
    lines = [
        f"{project}",
        f"  JVM {found.jvm}, keeper {found.keeper}, started {age} ago,"
        f" ends {warm.minutes(found.keep_alive)} after its last use",
        *(said or [f"  it has not answered for {warm.PATIENCE:.0f} s"]),
        f"  used by {', '.join(users) if users else 'nobody'}",
        f"  log: {folder / handshake.LOG}",
    ]
    return "\n".join(lines)


def _said(folder: Path, found: Handshake) -> str:
    """What the JVM tells of itself, while its keeper lets go of nothing that this process holds."""
    try:
        with handshake.locked(folder / handshake.START):
            held = figures(found)
    except (Py4JError, OSError) as error:
        return f"  it does not answer: {error}"
    return (
        f"  heap {held['heap']} of {held['most']} MB, {held['sessions']} sessions,"
        f" {held['jobs']} running jobs"
    )


def stopped(running: Running) -> str:
    project, folder, found = running
    with handshake.locked(folder / handshake.START):
        if handshake.read(folder) == found:  # else another process has replaced it
            keeps = processes.runs(found.keeper, found.keeper_began)
            warm.end(folder, found, warm.ENDING if keeps else 0)
    return f"Stopped the Spark of {project} (JVM {found.jvm})."


def _parsed(arguments: list[str] | None) -> Namespace:
    parser = ArgumentParser(prog="deltaspark", description=__doc__)
    parser.add_argument("command", choices=("status", "start", "stop"))
    parser.add_argument("--all", action="store_true", help="of all projects, not of this folder's")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
