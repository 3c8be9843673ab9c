"""The process's SparkSession: how it is configured, started once, and shared by threads."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pyspark import SparkContext
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from ..engine.delta import kept_open
from . import environment, half_made, places
from .applied_confs import apply_confs, not_applied
from .confs import IN_EACH_SESSION, SessionSettings
from .errors import SessionError
from .jvm_start import spark_submit_runs
from .lost import leave_jvm, leave_lost
from .py4j_connections import check_pinned, mend_connections
from .secrets import masked
from .servers import check_server
from .start import own_session
from .targets import Adjustment, adjustment
from .warm import Say, warm_session
from .without_delta import check_delta

if TYPE_CHECKING:
    from .attach import Attached

ONE_KIND = "a process is a server's client or runs Spark itself. Use a process for each target."
MARK = "SPARK_CONNECT_MODE_ENABLED"
OF_THE_JVM = ("driver_memory", "packages", "keep_alive")
OF_THE_START = ("warehouse", "metastore", "jars", *OF_THE_JVM)
"""Keys of a profile: spark-submit has settled the first of them, and a notebook all."""
STARTING = threading.Lock()
_opened: places.Opened | None = None
"""The Spark of this process, unless somebody else has started it."""


def open_session(
    settings: SessionSettings,
    say: Say = lambda _: None,
    warn: Say = lambda _: None,
    *,
    replaces_lost: bool = True,
) -> SparkSession:
    """A session for the calling thread: own confs, temp views and current schema.

    `say` is told of what takes long, and of how Spark was come by; `warn`, of what was lost, found
    unfinished or of another version.
    `replaces_lost`: another Spark takes the place of one whose JVM is gone. Who has statements at
    work in that one must not ask for it: what became of them is told by the JVM that is gone.
    """
    if settings.remote is not None:
        return _remote_session(settings.remote, settings, warn)
    _check_no_server_is_set()
    _quiet_context_loggers()
    check_pinned()
    mend_connections()
    with STARTING:
        if replaces_lost:
            _leave_lost(warn)
        base = _base_session(settings, say, warn)
    session = base.newSession()
    if _opened is not None and _opened.attached is not None:
        _opened.attached.adjust(session)
    _of_a_later_target(session, settings).apply(session)
    apply_confs(session, settings)
    return session


def _of_a_later_target(session: SparkSession, settings: SessionSettings) -> Adjustment:
    """Nothing where Spark was started for these settings, or by somebody else."""
    if settings.remote is not None or _opened is None or _opened.settings == settings:
        return Adjustment()
    return adjustment(session, _opened.settings, settings)


def unapplied_confs(session: SparkSession, settings: SessionSettings) -> tuple[str, ...]:
    """The profile's confs that a session which was already running did not take."""
    return tuple(not_applied(session, settings, is_ours=_opened is not None))


def kept_confs(session: SparkSession, settings: SessionSettings) -> tuple[str, ...]:
    """What the process's first target has set, and this one would not, and a running Spark keeps.

    Without what `unapplied_confs` names.
    """
    told = unapplied_confs(session, settings)
    return tuple(name for name in _of_a_later_target(session, settings).kept if name not in told)


def idle_keys(settings: SessionSettings) -> tuple[str, ...]:
    """Keys of a profile that say how Spark is started, which something else has done here."""
    if settings.remote is not None or _opened is None:
        return OF_THE_START
    return OF_THE_JVM if spark_submit_runs() else ()


def runs_here_by_others() -> bool:
    """Whether a Spark of this process was started by somebody else, with places of its own."""
    return SparkContext._active_spark_context is not None and _opened is None


def _remote_session(url: str, settings: SessionSettings, warn: Say) -> SparkSession:
    environment.check_versions()
    if SparkContext._active_spark_context is not None:
        raise SessionError(
            f"`remote: {masked(url)}` cannot be reached from a process in which Spark already"
            f" runs: {ONE_KIND}"
        )
    _quiet_context_loggers()
    confs = dict((*IN_EACH_SESSION, *settings.spark_config))
    try:
        with STARTING, _marked_if_created():
            session: SparkSession = kept_open(SparkSession.builder.remote(url).create())
            check_server(session, url, warn)
            session.conf._set_all(confs, silent=True)  # type: ignore[attr-defined]
    except ImportError as error:
        raise SessionError(
            f"`remote: {masked(url)}` needs Spark Connect's client, and this Python lacks it:"
            f" {error}\nInstall it: pip install 'dbt-deltaspark[connect]'"
        ) from error
    return session


@contextmanager
def _marked_if_created() -> Iterator[None]:
    """PySpark marks a process as a server's client before it knows whether that can be.

    One thread at a time: who fails takes the mark away that another one has earned meanwhile.
    """
    was_marked = is_remote()
    try:
        yield
    except BaseException:
        if not was_marked:
            os.environ.pop(MARK, None)
        raise


def _check_no_server_is_set() -> None:
    """Spark cannot start in a process whose frames PySpark sends to a server."""
    if is_remote():
        raise SessionError(
            "Spark cannot start in a process that has used a Spark Connect server, or in whose"
            f" environment {MARK} is set: {ONE_KIND}"
        )
    if url := os.environ.get("SPARK_REMOTE"):
        raise SessionError(
            f"The environment's SPARK_REMOTE ({masked(url)}) names a Spark Connect server, and the"
            " profile has no `remote`.\nWays out: unset SPARK_REMOTE; or use the server:"
            " `remote: \"{{ env_var('SPARK_REMOTE') }}\"` in place of `master`."
        )
    if os.environ.get("SPARK_API_MODE", "").lower() == "connect":
        raise SessionError(
            "The environment's SPARK_API_MODE=connect asks for a Spark Connect server, and the"
            " profile has no `remote`.\nWays out: unset SPARK_API_MODE; or name the server:"
            " `remote: sc://host:15002` in place of `master`."
        )


def _leave_lost(warn: Say) -> None:
    """Not of spark-submit's JVM, which this process ends with, nor of what somebody has started."""
    global _opened
    context = SparkContext._active_spark_context  # pyspark has no public way to ask
    if _opened is None or _opened.context is not context or spark_submit_runs():
        return
    if leave_lost(_opened.context, warn):
        _opened = None


def _base_session(settings: SessionSettings, say: Say, warn: Say) -> SparkSession:
    global _opened
    running = SparkContext._active_spark_context
    if running is None:
        half_made.set_aside(settings.catalog_folder, warn)
        session, attached = _warm(settings, say, warn) or (own_session(settings, say), None)
        _run_this_python(session.sparkContext)
        _opened = places.Opened(session.sparkContext, settings, attached)
        return session
    if _opened is not None and _opened.context is running:
        places.check_place(_opened, settings)
        return SparkSession.builder.getOrCreate()
    _opened = None
    found = SparkSession.builder.getOrCreate()
    environment.check_versions({"pyspark": found.version})
    check_delta(found)
    return found


def _run_this_python(context: SparkContext) -> None:
    """UDFs run where dbt is installed; PySpark itself takes whatever `python3` is found first."""
    if "PYSPARK_PYTHON" not in os.environ and environment.is_local(context.master):
        named = context.getConf().get("spark.pyspark.python")
        context.pythonExec = named or sys.executable


def _warm(settings: SessionSettings, say: Say, warn: Say) -> tuple[SparkSession, Attached] | None:
    """None, too, in a process whose JVM somebody else has started."""
    if settings.keep_alive is None or spark_submit_runs():
        return None
    leave_jvm()
    if SparkContext._gateway is not None:
        return None
    environment.check_versions()
    environment.check_machine()
    return warm_session(settings, say, warn)


def _quiet_context_loggers() -> None:
    """PySpark writes each error as JSON to the console, beside raising it."""
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
