"""A Spark that outlives the process: found or started, and used by this process beside others."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from py4j.protocol import AUTH_COMMAND_NAME

from . import environment, handshake
from .attach import Attached, attach, compared, detach
from .confs import SessionSettings, spark_confs
from .errors import SessionError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .handshake import Handshake

_keepers: list[subprocess.Popen[str]] = []
PATIENCE = 10.0
"""Seconds after which a JVM that does not answer hangs."""
ENDING = 30.0
"""Seconds that a keeper and its JVM have to end."""
Say = Callable[[str], None]


def warm_session(settings: SessionSettings, say: Say) -> tuple[SparkSession, Attached] | None:
    """The first session on the settings' warm Spark, which is started where there is none.

    None where another Spark has to be started: it is said why. Raises SessionError where there can
    be no other, since the warm one holds the embedded catalog; EnvironmentProblem and SessionError
    where none can be started.
    """
    folder = handshake.folder_of(settings)
    if folder is None:
        say("keep_alive does nothing: this system has no locks for it, or the cache folder is off")
        return None
    confs = spark_confs(replace(settings, keep_alive=None), os.cpu_count() or 1)
    with _alone(folder):
        found = _answering(folder, say)
        if found is not None:
            fits, differences = _fitting(folder, found, confs)
            if fits is not None:
                age = minutes(time.time() - found.started)
                say(f"Using the warm Spark (JVM {found.jvm}), which was started {age} ago")
                return fits
            if not _gives_way(folder, found, settings, differences, say):
                return None
        began = time.monotonic()
        say("Starting Spark, which stays warm")
        found = _started(folder, settings, confs)
        fits, differences = _fitting(folder, found, confs)
        say(f"Spark started in {time.monotonic() - began:.1f} s")
    if fits is None:
        raise SessionError(f"the warm Spark is not what was asked for: {'; '.join(differences)}")
    return fits


def _fitting(
    folder: Path, found: Handshake, confs: Mapping[str, str]
) -> tuple[tuple[SparkSession, Attached] | None, list[str]]:
    """This process attached to the Spark; or in what it differs from what is asked for."""
    differences = _version_differences(found)
    if differences:
        return None, differences
    session = attach(folder, found)
    attached, differences = compared(session, found, confs)
    if differences:
        detach()
        return None, differences
    return (session, attached), []


def versions() -> dict[str, str]:
    """What two processes must have in common to share a Spark."""
    found = environment.installed()
    return {
        **found,
        "Java": environment.java_command() or "",
        "Spark": str(environment.spark_home()),
    }


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    try:
        handshake.made(folder)
        with handshake.locked(folder / handshake.START):
            yield
    except PermissionError as error:
        raise SessionError(
            f"keep_alive: {folder} cannot be used by this user ({error.strerror}); a warm Spark"
            " serves the user alone who started it. Give this one a `metastore` folder of its own."
        ) from error


def _answering(folder: Path, say: Say) -> Handshake | None:
    """The handshake of a Spark that answers; what is left of one that does not is cleared away."""
    found = handshake.read(folder)
    if found is None:
        return None
    if handshake.is_held(folder / handshake.KEEPER) and _answers(found):
        return found
    say("The warm Spark is gone, or answers no more")
    end(folder, found, patience=0)
    return None


def _answers(found: Handshake) -> bool:
    """Whether its JVM lets us in, and does so in time: a JVM that hangs takes connections, too."""
    try:
        with socket.create_connection(("127.0.0.1", found.port), timeout=PATIENCE) as connection:
            connection.sendall(f"{AUTH_COMMAND_NAME}\n{found.secret}\n".encode())
            return connection.recv(100).startswith(b"!y")
    except OSError:
        return False


def _version_differences(found: Handshake) -> list[str]:
    ours = versions()
    return [
        f"{name} is {found.versions.get(name)!r} there, {ours.get(name)!r} here"
        for name in sorted({*found.versions, *ours})
        if found.versions.get(name) != ours.get(name)
    ]


def _gives_way(
    folder: Path, found: Handshake, settings: SessionSettings, differences: list[str], say: Say
) -> bool:
    """Ends a Spark that nobody uses. False where others do, and a second one can run beside it."""
    told = "; ".join(differences)
    if not handshake.users(folder)[0]:
        say(f"The warm Spark gives way to another, since it was started otherwise: {told}")
        end(folder, found)
        return True
    if settings.catalog_folder is not None:
        raise SessionError(
            f"A warm Spark holds the embedded catalog in {settings.catalog_folder}, is in use by"
            f" another process, and was started otherwise: {told}.\nWays out: the same settings;"
            " wait until the other process has ended; `deltaspark stop`; or a `metastore` folder of"
            " its own for this target."
        )
    say(f"A second Spark is started: the warm one is in use, and was started otherwise: {told}")
    return False


def _started(folder: Path, settings: SessionSettings, confs: Mapping[str, str]) -> Handshake:
    """A keeper of its own session, which has started the Spark."""
    command = [sys.executable, "-m", f"{__package__}.keeper"]
    with handshake.private(folder / handshake.LOG) as log:
        keeper = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            text=True,
        )
    assert keeper.stdin is not None and keeper.stdout is not None
    told = {
        "folder": str(folder),
        "settings": asdict(replace(settings, keep_alive=None)),
        "versions": versions(),
        "confs": dict(confs),
        "keep_alive": settings.keep_alive,
    }
    with keeper.stdin as asked, keeper.stdout as answered:
        asked.write(f"{json.dumps(told)}\n")
        asked.close()
        line = answered.readline()
    _keepers.append(keeper)  # it is not waited for, and not to be warned of
    answer = json.loads(line) if line.strip() else {"text": "its process ended", "problem": ""}
    found = handshake.read(folder)
    if "problem" not in answer and found is not None:
        return found
    log_said = f"\nIts log: {folder / handshake.LOG}"
    if answer.get("problem") == "environment":
        raise environment.EnvironmentProblem(answer["text"])
    raise SessionError(f"{answer.get('text', 'the handshake is gone')}{log_said}")


def end(folder: Path, found: Handshake, patience: float = ENDING) -> None:
    """Ends the keeper and its JVM, by force after so many seconds."""
    deadline = time.monotonic() + patience
    handshake.remove(folder)
    while handshake.is_held(folder / handshake.KEEPER) or _runs(found.jvm):
        late = time.monotonic() > deadline
        number = signal.SIGKILL if late else signal.SIGTERM
        if handshake.is_held(folder / handshake.KEEPER):
            with suppress(ProcessLookupError):
                os.kill(found.keeper, number)
        elif late:
            with suppress(ProcessLookupError):
                os.kill(found.jvm, number)
        time.sleep(0.2)


def _runs(jvm: int) -> bool:
    """Whether the process is a Spark that still runs; numbers of processes come again."""
    shown = subprocess.run(
        ["ps", "-o", "stat=,command=", "-p", str(jvm)], capture_output=True, text=True, check=False
    ).stdout.strip()
    return "org.apache.spark.deploy.SparkSubmit" in shown and not shown.startswith("Z")


def minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
