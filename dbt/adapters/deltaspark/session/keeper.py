"""The process that keeps a Spark warm, which `warm` starts.

It is told its settings by a line on its standard input, answers with a line when Spark has started
or could not, and ends with its Spark: after the idle time, when its handshake is gone or is another
one's, on SIGTERM, or when somebody has stopped the Spark.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from py4j.protocol import Py4JError
from pyspark import SparkContext

from . import handshake, processes
from .confs import SessionSettings
from .environment import EnvironmentProblem
from .errors import SessionError
from .handshake import Handshake
from .jvm_errors import message_of
from .jvm_start import end_jvm, in_time
from .spark import open_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ENDING = 20.0
"""Seconds that the JVM has to end."""
LEAVING = 60.0
"""Seconds that jobs of a process are cancelled for after it has died: its last statement may have
been planned that long, on a busy machine, before its first job begins."""
PATIENCE = 10.0
"""Seconds after which a JVM that does not answer hangs."""
POLL = 1.0
"""Seconds between two looks at who is there."""


def main() -> int:
    answer = os.fdopen(os.dup(1), "w")
    wanted = json.loads(sys.stdin.readline())
    folder = Path(wanted["folder"])
    _say_in(folder / handshake.LOG)
    stopping = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopping.set())
    with ExitStack() as alone:
        try:
            alone.enter_context(handshake.locked(folder / handshake.KEEPER))
            session = open_session(settings_of(wanted["settings"]))
        except Exception as error:  # whatever it is, it is told to who asked for a Spark
            kind = "environment" if isinstance(error, EnvironmentProblem) else "session"
            known = isinstance(error, (EnvironmentProblem, SessionError, TimeoutError))
            text = str(error) if known else message_of(error)
            _tell(answer, {"problem": kind, "text": text})
            return 1
        own, patience = _handshake(wanted), ENDING
        try:
            handshake.write(folder, own)
            _tell(answer, {"jvm": own.jvm})
            with handshake.listed(folder):
                patience = ENDING if keep(session, folder, own, stopping) else 0
        finally:
            _take_away(folder, own)
            end_jvm(session, patience)
    return 0


def _tell(answer: TextIO, told: Mapping[str, object]) -> None:
    """To who asked for the Spark; raises BrokenPipeError where that one was killed meanwhile."""
    with answer:
        print(json.dumps(told), file=answer)


def settings_of(told: dict[str, Any]) -> SessionSettings:
    """As they were before they went through JSON."""
    pairs = tuple((name, value) for name, value in told["spark_config"])
    lists = {name: tuple(told[name]) for name in ("jars", "packages")}
    return SessionSettings(**{**told, **lists, "spark_config": pairs})


def keep(session: SparkSession, folder: Path, own: Handshake, stopping: threading.Event) -> bool:
    """Returns when the Spark is to end; until then, clears up behind those that used it.

    Whether its JVM still answered: one that hangs can only be killed.
    """
    kept, jvm = _objects(session), Jvm(session)
    cleared, used = True, time.monotonic()
    leaving: dict[str, float] = {}
    while not stopping.wait(POLL) and _is_offered(folder, own):
        stopped = jvm.is_stopped()
        if stopped:
            break
        if stopped is None:
            if _is_left(folder):
                return False
            continue
        dead, living = handshake.buried(folder), handshake.users(folder)
        leaving |= dict.fromkeys(dead, time.monotonic() + LEAVING)
        leaving = _cancelled(session, leaving, living)
        cleared = cleared and not dead and not living
        used = time.monotonic() if living else used
        with _unused(folder) as unused:
            if unused and not cleared:
                cleared = in_time(lambda: _let_go(session, kept), ENDING)
            if unused and (not cleared or time.monotonic() - used > own.keep_alive):
                handshake.remove(folder)  # nobody can attach any more
                break
    return True


def _take_away(folder: Path, own: Handshake) -> None:
    """Its handshake, not that of another which has come in its place."""
    with suppress(OSError):
        if handshake.read(folder) == own:
            handshake.remove(folder)


def _is_offered(folder: Path, own: Handshake) -> bool:
    """Whether its handshake is there; where that is not known now, it is asked for again."""
    try:
        return handshake.read(folder) == own
    except OSError:
        return True


def _is_left(folder: Path) -> bool:
    """Nobody uses it, nor can anybody from now on. Users wait for it, as long as they like."""
    with _unused(folder) as unused:
        if unused:
            handshake.remove(folder)
    return unused


@contextmanager
def _unused(folder: Path) -> Iterator[bool]:
    """Whether nobody uses it, or is about to; then nobody will inside."""
    with handshake.if_free(folder / handshake.START) as alone:
        yield alone and not handshake.users(folder)


def _cancelled(
    session: SparkSession, leaving: dict[str, float], living: list[str]
) -> dict[str, float]:
    """Those that died a moment ago: what they had under way may begin one more job."""
    now = time.monotonic()
    still = {user: until for user, until in leaving.items() if until > now and user not in living}
    for user in still:
        session.sparkContext._jsc.sc().cancelJobsWithTag(user)
    return still


class Jvm:
    """The JVM, asked in one thread for all times: py4j keeps a connection for each that asked."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._thread = ThreadPoolExecutor(1)
        self._asked: Future[bool] | None = None

    def is_stopped(self) -> bool | None:
        """Whether the Spark was stopped, or its JVM has ended; None where that does not answer."""
        gateway = SparkContext._gateway
        assert gateway is not None
        if gateway.proc.poll() is not None:
            return True
        asked = self._asked = self._asked or self._thread.submit(self._ask)
        if not wait([asked], PATIENCE).done:
            return None
        self._asked = None
        with suppress(Py4JError, OSError):  # it has just ended
            return asked.result()
        return None

    def _ask(self) -> bool:
        stopped: bool = self._session.sparkContext._jsc.sc().isStopped()
        return stopped


def _handshake(wanted: Mapping[str, Any]) -> Handshake:
    gateway = SparkContext._gateway
    assert gateway is not None
    secret: str = gateway.gateway_parameters.auth_token
    return Handshake(
        port=gateway.gateway_parameters.port,
        secret=secret,
        machine=processes.this_machine(),
        keeper=os.getpid(),
        keeper_began=processes.began(os.getpid()),
        jvm=gateway.proc.pid,
        jvm_began=processes.began(gateway.proc.pid),
        started=time.time(),
        keep_alive=wanted["keep_alive"],
        versions=wanted["versions"],
        confs={name: handshake.digest(secret, value) for name, value in wanted["confs"].items()},
    )


def _objects(session: SparkSession) -> Any:
    """The JVM's objects that Pythons hold by now, by their names."""
    names = session.sparkContext._jvm.java.util.HashSet()  # type: ignore[union-attr]
    names.addAll(_bindings().keySet())
    return names


def _bindings() -> Any:
    gateway = SparkContext._gateway
    assert gateway is not None
    return gateway.java_gateway_server.getGateway().getBindings()


def _let_go(session: SparkSession, kept: Any) -> None:
    """Sessions, frames and views of processes that have ended: py4j holds them in their name."""
    _bindings().keySet().retainAll(kept)
    context = session.sparkContext._jsc.sc()
    for number in filter(None, context.getPersistentRDDs().keys().mkString(",").split(",")):
        context.unpersistRDD(int(number), False)
    # What PySpark keeps as `session.catalog` is among the names that are gone after the first time.
    session._jsparkSession.catalog().clearCache()
    session._jsparkSession.sharedState().globalTempViewManager().clear()
    session.sparkContext._jvm.java.lang.System.gc()  # type: ignore[union-attr]


def _say_in(log: Path) -> None:
    """What this process and its JVM say from now on."""
    with handshake.private(log) as opened:
        for number in (1, 2):
            os.dup2(opened.fileno(), number)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
