"""A Spark that outlives the process: found or started, and used by this process beside others."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

from py4j.protocol import AUTH_COMMAND_NAME

from . import environment, handshake, processes
from .attach import Attached, attach, compared, detach
from .confs import SessionSettings, confs_without_ivy, items, packages_and_excludes, spark_confs
from .errors import SessionError
from .jvm_output import FETCHING
from .processes import runs
from .project_folder import real_folder
from .warm_folder import alone, folder_for

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .handshake import Handshake

OF_THE_ENVIRONMENT = re.compile(
    "(AWS|AZURE|GOOGLE|HADOOP|HIVE|KRB5)_?.*|SPARK_CONF_DIR|SPARK_LOCAL_DIRS|SPARK_SUBMIT_OPTS"
    "|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|_JAVA_OPTIONS|PYSPARK_SUBMIT_ARGS|PYSPARK_PYTHON"
    "|PYTHONPATH|TZ"
)
"""Variables that say where a JVM and its Pythons read and write, in whose name, and by what clock;
it keeps the first."""
_keepers: list[subprocess.Popen[str]] = []
SILENCE = "silence"
PATIENCE = 10.0
"""Seconds after which a JVM that does not answer hangs."""
ENDING = 30.0
"""Seconds that a keeper and its JVM have to end."""
Say = Callable[[str], None]


def warm_session(
    settings: SessionSettings, say: Say, warn: Say
) -> tuple[SparkSession, Attached] | None:
    """The first session on the settings' warm Spark, which is started where there is none.

    None where another Spark has to be started: it is said why. Raises SessionError where there can
    be no other, since the warm one holds the embedded catalog; EnvironmentProblem and SessionError
    where none can be started.
    """
    folder = folder_for(settings, say, warn)
    if folder is None:
        return None
    confs = asked_for(settings)
    with alone(folder):
        found = _answering(folder, warn)
        if found is not None:
            fits, differences = _fitting(folder, found, confs)
            if fits is not None:
                since = age(found)
                say(f"Using the warm Spark (JVM {found.jvm}), which was started {since} ago")
                return fits
            if not _gives_way(folder, found, settings, differences, say):
                return None
        began = time.monotonic()
        say("Starting Spark, which stays warm")
        recorded = environment.recorded_jars(settings.ivy, *packages_and_excludes(confs))
        if confs_without_ivy(confs, recorded) is None:
            say(FETCHING)
        found = _started(folder, settings, confs)
        fits, differences = _fitting(folder, found, confs)
        say(f"Spark started in {time.monotonic() - began:.1f} s")
    if fits is None:
        raise SessionError(
            f"The warm Spark is not what was asked for: {'; '.join(differences)}, which has changed"
            " while it started. Try again: a Spark that nobody uses gives way to another."
        )
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


def asked_for(settings: SessionSettings) -> dict[str, str]:
    """What a Spark is told from another by: confs, `$` and a variable's name, files."""
    confs = spark_confs(settings, os.cpu_count() or 1, environment.spark_defaults())
    variables = {
        f"${name}": value
        for name, value in os.environ.items()
        if OF_THE_ENVIRONMENT.fullmatch(name)
    }
    jars = items(confs.get("spark.jars", ""))
    return {**confs, **variables, **_files([*jars, *_settings_of_a_jvm()])}


def _settings_of_a_jvm() -> Iterator[str]:
    """Files such as spark-defaults.conf and core-site.xml."""
    hadoop = os.environ.get("HADOOP_CONF_DIR")
    for folder in (environment.conf_folder(), *([Path(hadoop)] if hadoop else [])):
        yield from map(str, sorted(folder.glob("*.*")))


def _files(names: Sequence[str]) -> dict[str, str]:
    """Those that are files here, with time and size: a JVM keeps what it has read of one."""
    found = {}
    for name in names:
        url = urlparse(name)
        file = Path(unquote(url.path) if url.scheme == "file" else name)
        with suppress(OSError):  # what is no file here is told by its name alone
            told = file.stat()
            found[f"the file {file}"] = f"{told.st_mtime_ns} {told.st_size}"
    return found


def versions() -> dict[str, str]:
    """What two processes must have in common to share a Spark."""
    found = environment.installed()
    return {
        **found,
        "Java": environment.java_command() or "",
        "Spark": str(environment.spark_home()),
    }


def _answering(folder: Path, warn: Say) -> Handshake | None:
    """The handshake of a Spark that answers; what is left of one that does not is cleared away."""
    found = handshake.read(folder)
    if found is None:
        handshake.remove(folder)  # the keeper of one that cannot be read ends, and lets go
        return None
    held = handshake.is_held(folder / handshake.KEEPER)
    if processes.are_elsewhere(found.machine, held=held):
        raise SessionError(
            f"keep_alive: the warm Spark of {folder} runs on another machine or in another"
            f" container ({found.machine['host']}). Stop it there (`deltaspark stop`), or"
            f" remove {folder / handshake.FILE}, if that one is gone."
        )
    if not held and runs(found.keeper, found.keeper_began):
        handshake.remove(folder)  # a copy: its keeper holds the lock of the folder that it is of
        return None
    answer = _answer(found) if held else ""
    if answer.startswith("!y"):
        return found
    users = handshake.users(folder)
    if answer == SILENCE and users:
        raise SessionError(
            f"The warm Spark (JVM {found.jvm}) has not answered for {PATIENCE:.0f} s, and is in use"
            f" by {', '.join(users)}: it may be busy. Try again; `deltaspark stop` ends it."
        )
    warn("The warm Spark is gone, or answers no more: another one is started")
    end(folder, found, patience=0)
    return None


def _answer(found: Handshake) -> str:
    """What its JVM says to the secret: SILENCE where it hangs, "" where there is none.

    Raises OSError where this process cannot ask: it has too many files open, for example.
    """
    try:
        with socket.create_connection(("127.0.0.1", found.port), timeout=PATIENCE) as connection:
            connection.sendall(f"{AUTH_COMMAND_NAME}\n{found.secret}\n".encode())
            return connection.recv(100).decode()
    except TimeoutError:
        return SILENCE
    except ConnectionError:
        return ""


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
    if not handshake.users(folder):
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
    command = processes.python(f"{__package__}.keeper", "main")
    with handshake.private(folder / handshake.LOG) as log:
        keeper = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            cwd=real_folder(Path.cwd()),  # a folder of links to it may be gone sooner
            text=True,
        )
    _keepers.append(keeper)  # it is not waited for, and not to be warned of
    assert keeper.stdin is not None and keeper.stdout is not None
    told = {
        "folder": str(folder),
        "settings": asdict(replace(settings, keep_alive=None)),
        "versions": versions(),
        "confs": dict(confs),
        "keep_alive": settings.keep_alive,
    }
    try:
        with keeper.stdout as answered:
            with (
                suppress(BrokenPipeError),
                keeper.stdin as asked,
            ):  # one that has ended says nothing
                asked.write(f"{json.dumps(told)}\n")
            line = answered.readline()
    except BaseException:  # Ctrl-C, for one: nobody would use what it starts
        os.killpg(keeper.pid, signal.SIGKILL)
        raise
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
    while (keeps := runs(found.keeper, found.keeper_began)) or runs(found.jvm, found.jvm_began):
        late = time.monotonic() > deadline
        if keeps or late:
            with suppress(ProcessLookupError):
                number = signal.SIGKILL if late else signal.SIGTERM
                os.kill(found.keeper if keeps else found.jvm, number)
        time.sleep(0.2)


def age(found: Handshake) -> str:
    """How long it runs; a clock that was set back tells nothing."""
    return minutes(max(0.0, time.time() - found.started))


def minutes(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
