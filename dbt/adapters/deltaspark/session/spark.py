"""The process's SparkSession: how it is configured, started once, and shared by threads."""

from __future__ import annotations

import logging
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

from ..engine.delta import kept_open
from . import environment, places
from .applied_confs import apply_confs
from .confs import (
    DRIVER_PACKAGES,
    IN_EACH_SESSION,
    SessionSettings,
    added_confs,
    confs_without_ivy,
    items,
    spark_confs,
    yielding_confs,
)
from .errors import CatalogLockedError, NotStartedError, SessionError
from .jvm_errors import message_of
from .jvm_output import without_noise
from .jvm_start import spark_submit_runs, start_jvm
from .py4j_connections import check_pinned, mend_connections
from .secrets import cause, masked, shown
from .warm import Say, warm_session
from .without_delta import check_delta, delta_packages

if TYPE_CHECKING:
    from .attach import Attached

NO_SCHEMA = ("Version information not found", "Required table missing")
MAKE_SCHEMA = (
    "Hive's tables have to be made there once: by Hive's own `schematool -initSchema`, or as they"
    " are needed, by these lines in the profile, of which the first process is to be alone:\n"
    "spark_config: {spark.hadoop.datanucleus.schema.autoCreateTables: true,"
    " spark.hadoop.hive.metastore.schema.verification: false}"
)
DERBY_IS_TAKEN = "Another instance of Derby may have already booted the database"
ONE_KIND = "a process is a server's client or runs Spark itself. Use a process for each target."
MARK = "SPARK_CONNECT_MODE_ENABLED"
JVM_ENDED = "JAVA_GATEWAY_EXITED"
STARTING = threading.Lock()
_opened: places.Opened | None = None
"""The Spark of this process, unless somebody else has started it."""


def open_session(
    settings: SessionSettings, say: Say = lambda _: None, warn: Say = lambda _: None
) -> SparkSession:
    """A session for the calling thread: own confs, temp views and current schema.

    `say` is told of what takes long, and of how Spark was come by; `warn`, of one that was lost.
    """
    if settings.remote is not None:
        return _remote_session(settings.remote, settings)
    _check_no_server_is_set()
    _quiet_context_loggers()
    session = _base_session(settings, say, warn).newSession()
    if _opened is not None and _opened.attached is not None:
        _opened.attached.adjust(session)
    apply_confs(session, settings)
    return session


def _remote_session(url: str, settings: SessionSettings) -> SparkSession:
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


def _base_session(settings: SessionSettings, say: Say, warn: Say) -> SparkSession:
    global _opened
    check_pinned()
    mend_connections()
    with STARTING:
        running = SparkContext._active_spark_context  # pyspark has no public way to ask
        if running is None:
            session, attached = _warm(settings, say, warn) or (_timed(settings, say), None)
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
    if settings.keep_alive is None or SparkContext._gateway is not None or spark_submit_runs():
        return None
    environment.check_versions()
    environment.check_machine()
    return warm_session(settings, say, warn)


def _timed(settings: SessionSettings, say: Say) -> SparkSession:
    say("Starting Spark")
    began = time.monotonic()
    try:
        with without_noise(say) as output:
            session = _start(settings)
    except PySparkRuntimeError as error:
        said = output.reason() if error.getCondition() == JVM_ENDED else ""
        raise NotStartedError(message_of(error), said) from error
    say(f"Spark started in {time.monotonic() - began:.1f} s")
    return session


def _start(settings: SessionSettings) -> SparkSession:
    environment.check_versions()
    if not spark_submit_runs():
        environment.check_machine()
    if settings.catalog_folder is not None:
        places.make(settings.catalog_folder)
        places.make(settings.warehouse_folder)
    session = _submitted(settings) if spark_submit_runs() else _with_delta_jars(settings)
    _reach_catalog(session, settings)
    return session


def _submitted(settings: SessionSettings) -> SparkSession:
    """In the JVM that spark-submit has started, with its confs and jars."""
    SparkContext._ensure_initialized()
    given = dict(SparkConf(_jvm=SparkContext._jvm).getAll())
    session = _builder(added_confs(settings, given)).getOrCreate()
    check_delta(session)
    return session


def _quiet_context_loggers() -> None:
    """PySpark writes each error as JSON to the console, beside raising it."""
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).setLevel(logging.CRITICAL)


def _with_delta_jars(settings: SessionSettings) -> SparkSession:
    confs = spark_confs(settings, os.cpu_count() or 1, environment.spark_defaults())
    packages = items(confs.get("spark.jars.packages", ""))
    known = confs_without_ivy(confs, environment.recorded_jars(settings.ivy, packages))
    if known is not None:
        return _get_or_create(known, yielding_confs(settings))
    resolving = {
        "spark.jars.packages": delta_packages(packages),
        **environment.ivy_confs(settings.ivy),
    }
    session = _get_or_create({**confs, **resolving}, yielding_confs(settings), tries=2)
    own = set(items(confs.get("spark.jars", "")))
    resolved = items(session.conf.get("spark.jars", "") or "")
    environment.record_jars(settings.ivy, packages, [jar for jar in resolved if jar not in own])
    return session


def _get_or_create(confs: dict[str, str], yielding: dict[str, str], tries: int = 1) -> SparkSession:
    try:
        start_jvm(confs, yielding)
        return _builder(confs).getOrCreate()
    except PySparkRuntimeError:
        if tries > 1:  # a broken download leaves the other jars in Ivy's cache
            return _get_or_create(confs, yielding, tries - 1)
        raise


def _builder(confs: dict[str, str]) -> SparkSession.Builder:
    builder = SparkSession.builder
    for name, value in confs.items():
        builder = builder.config(name, value)
    return builder


def _register_driver(session: SparkSession, driver: str | None) -> None:
    """A JDBC driver among Spark's jars is of a class loader that Java's manager does not look into.

    Spark has a wrapper for its own JDBC sources, which Hive's pool of connections finds, too.
    """
    if driver is None:
        return
    jvm = session._jvm
    assert jvm is not None
    registry = jvm.org.apache.spark.sql.execution.datasources.jdbc.DriverRegistry
    try:
        registry.register(driver)
    except Py4JJavaError as error:
        raise SessionError(
            f"The catalog's database needs the driver {driver}, which is in none of Spark's jars."
            f" Name it once in the profile: packages: [{DRIVER_PACKAGES[driver]}]"
        ) from error


def _reach_catalog(session: SparkSession, settings: SessionSettings) -> None:
    try:
        _register_driver(session, settings.catalog_driver)
        session.catalog.databaseExists("default")
    except Exception as error:  # any failure ends the same way: stopped, then raised
        session.stop()
        if isinstance(error, SessionError):
            raise
        if DERBY_IS_TAKEN in message_of(error, causes=True):
            raise CatalogLockedError(str(settings.catalog_folder)) from error
        secrets, place = settings.secrets, shown("metastore", settings.metastore)
        # Hive says only that it failed; what is wrong, it says in the last of the causes.
        last = message_of(error, causes=True).splitlines()[-1]
        told = message_of(error)
        told = f"The catalog ({place}) cannot be reached: {told}" + f"\n{last}" * (last not in told)
        if any(text in told for text in NO_SCHEMA):
            told = f"The catalog ({place}) is empty: {last}\n{MAKE_SCHEMA}"
        raise SessionError(masked(told, secrets)) from cause(error, secrets)
