"""The process's JVM, started with its confs in a file, since every user can read a command line."""

from __future__ import annotations

import os
import shlex
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.java_gateway import launch_gateway

from .class_archive import with_archive
from .confs import LOG4J
from .environment import conf_folder, is_local
from .jvm_output import STDERR

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ARGUMENTS = "PYSPARK_SUBMIT_ARGS"
ADDRESS = "SPARK_LOCAL_IP"
SHELL = "pyspark-shell"
FILE_OPTION = "--properties-file"
OPTIONS = "SPARK_SUBMIT_OPTS"
"""Options of Java that come before those of any conf, and so give way to them."""
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/")


def spark_submit_runs() -> bool:
    """Whether spark-submit has started this process, and so its JVM before it."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def start_jvm(confs: Mapping[str, str], yielding: Mapping[str, str]) -> None:
    """Start the JVM with these confs, where there is none; raises PySparkRuntimeError.

    `yielding`: confs that the user's own files and arguments win over.
    The confs stand in a file that this user alone can read; it is gone when this returns or raises.
    The session needs them once more: this is only what has to be known before the JVM runs.
    """
    if SparkContext._gateway is not None or spark_submit_runs():
        return
    given = os.environ.get(ARGUMENTS)
    theirs, arguments = _without_file(shlex.split(given or SHELL))
    # A file takes the place of spark-defaults.conf, unless it is asked for, too: Spark's scripts
    # may know of one that `_read` does not find.
    defaults = ["--load-spark-defaults"] if theirs is None else []
    with TemporaryDirectory(prefix="dbt-deltaspark-") as folder:
        file = Path(folder, "spark.properties")
        _write(file, lines(yielding, _read(theirs), with_archive(confs)))
        submitted = shlex.join([*defaults, FILE_OPTION, str(file), *arguments])
        with environment_of({**_address(confs), **java_options(confs), ARGUMENTS: submitted}):
            # Its words are read on standard error; dbt's results are on the other.
            gateway = launch_gateway(popen_kwargs={"stdout": STDERR})  # type: ignore[no-untyped-call]
            SparkContext._ensure_initialized(gateway=gateway)


def in_time(call: Callable[[], object], seconds: float) -> bool:
    """Whether the call came to its end, well or not; a JVM that hangs answers never."""
    thread = threading.Thread(target=call, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()


def end_jvm(session: SparkSession | None, timeout: float) -> bool:
    """Stop the session's Spark and the JVM, which this process has started; seconds it may take.

    False where it did not end in time, and was killed.
    """
    gateway = SparkContext._gateway
    assert gateway is not None
    process = gateway.proc

    def asked_to_end() -> None:
        with suppress(Py4JError, OSError):  # a JVM that is gone cannot be asked
            if session is not None:
                session.stop()
            gateway.shutdown()

    in_time(asked_to_end, timeout)
    process.stdin.close()
    try:
        process.wait(timeout=timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        return False
    return True


def _read(theirs: Path | None) -> bytes:
    """The user's own properties: of the file that the arguments name, or else Spark's defaults."""
    defaults = conf_folder() / "spark-defaults.conf"
    if theirs is None and not defaults.is_file():
        return b""
    try:
        return (theirs or defaults).read_bytes()
    except OSError as error:
        named = f"{ARGUMENTS} names {theirs} as {FILE_OPTION}, which" if theirs else str(defaults)
        raise PySparkRuntimeError(f"{named} cannot be read: {error}") from error


def lines(yielding: Mapping[str, str], theirs: bytes, confs: Mapping[str, str]) -> bytes:
    """What yields, the user's own properties, and ours: of one name the last line counts."""
    before, after = (properties(each).encode("ascii") for each in (yielding, confs))
    return before + theirs + b"\n\n" + after


def _write(file: Path, text: bytes) -> None:
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as opened:
        opened.write(text)


def properties(confs: Mapping[str, str]) -> str:
    """The confs as Java's Properties reads them."""
    return "".join(f"{_escaped(name)}={_escaped(value)}\n" for name, value in confs.items())


def _escaped(text: str) -> str:
    """Any character but the plainest by its UTF-16 units, which no rule of the format is about."""
    return "".join(each if each in PLAIN else _units(each) for each in text)


def _units(character: str) -> str:
    code = character.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{code[place : place + 4]}" for place in range(0, len(code), 4))


def _without_file(arguments: list[str]) -> tuple[Path | None, list[str]]:
    """The properties file that the arguments name last, which is the one that counts; others."""
    file, others, rest = None, [], iter(arguments)
    for each in rest:
        option, equals, value = each.partition("=")
        if option == FILE_OPTION:
            file = Path(value if equals else next(rest, ""))
        else:
            others.append(each)
    return file, others


def _address(confs: Mapping[str, str]) -> dict[str, str]:
    """Spark's UI, where it is turned on, is by itself open to the network: it asks for this alone.

    A cluster's driver has to be reached from elsewhere; what the user has set stands.
    """
    address = confs.get("spark.driver.bindAddress")
    local = is_local(confs.get("spark.master"))
    return {ADDRESS: address} if local and address and ADDRESS not in os.environ else {}


def java_options(confs: Mapping[str, str]) -> dict[str, str]:
    """A cluster's driver logs as a local Spark does, unless the user has said how it logs."""
    own: list[str] = []
    if not is_local(confs.get("spark.master")) and not (conf_folder() / LOG4J.name).exists():
        own.append(f"-Dlog4j2.configurationFile={LOG4J.as_uri()}")
    return {OPTIONS: " ".join([*own, os.environ.get(OPTIONS, "")]).rstrip()}


@contextmanager
def environment_of(variables: Mapping[str, str]) -> Iterator[None]:
    """PySpark's launcher and the JVM read what they need from this process's environment."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
