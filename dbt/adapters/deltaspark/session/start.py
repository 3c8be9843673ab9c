"""A Spark of this process's own: started with Delta's jars, and its catalog reached."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlparse

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from . import environment, places
from .confs import (
    DRIVER_PACKAGES,
    SessionSettings,
    added_confs,
    confs_without_ivy,
    items,
    packages_and_excludes,
    spark_confs,
    yielding_confs,
)
from .early_catalog import opening_the_catalog
from .errors import CatalogLockedError, NotStartedError, SessionError
from .jvm_errors import message_of
from .jvm_output import without_noise
from .jvm_start import spark_submit_runs, start_jvm
from .lost import leave_jvm
from .secrets import cause, masked, shown
from .targets import submitted_confs
from .without_delta import check_delta, delta_packages

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .warm import Say

NO_SCHEMA = ("Version information not found", "Required table missing")
MAKE_SCHEMA = (
    "Hive's tables have to be made there once: by Hive's own `schematool -initSchema`, or as they"
    " are needed, by these lines in the profile, of which the first process is to be alone:\n"
    "spark_config: {spark.hadoop.datanucleus.schema.autoCreateTables: true,"
    " spark.hadoop.hive.metastore.schema.verification: false}"
)
DERBY_IS_TAKEN = "Another instance of Derby may have already booted the database"
DELTAS = "/io.delta_delta-spark_"
"""In the name of Delta's jar, as Ivy has it."""
JVM_ENDED = "JAVA_GATEWAY_EXITED"


def own_session(settings: SessionSettings, say: Say) -> SparkSession:
    """A session of it; raises SessionError or EnvironmentProblem: the reason and the way out."""
    say("Starting Spark")
    began = time.monotonic()
    try:
        with without_noise(say) as output, _interrupts_as_before():
            session = _start(settings)
    except PySparkRuntimeError as error:
        said = output.reason() if error.getCondition() == JVM_ENDED else ""
        raise NotStartedError(message_of(error), said) from error
    except Py4JJavaError as error:
        if not (said := output.refusal()):
            raise
        raise NotStartedError("", f"{said} (master: {settings.master})") from error
    say(f"Spark started in {time.monotonic() - began:.1f} s")
    return session


@contextmanager
def _interrupts_as_before() -> Iterator[None]:
    """On Ctrl-C PySpark's context asks the JVM in the thread that may be waiting for its answer.

    That ends in an error of py4j in place of the interrupt, and the job goes on.
    """
    handler = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if handler is not None and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, handler)


def _start(settings: SessionSettings) -> SparkSession:
    environment.check_versions()
    if not spark_submit_runs():
        environment.check_machine()
        leave_jvm()
    if settings.catalog_folder is not None:
        places.make(settings.catalog_folder)
        places.make(settings.warehouse_folder)
    session = _submitted(settings) if spark_submit_runs() else _with_delta_jars(settings)
    _reach_catalog(session, settings)
    return session


def _submitted(settings: SessionSettings) -> SparkSession:
    """In the JVM that spark-submit has started, with its confs and jars."""
    session = _builder(added_confs(settings, submitted_confs())).getOrCreate()
    check_delta(session)
    return session


def _with_delta_jars(settings: SessionSettings) -> SparkSession:
    confs = spark_confs(settings, os.cpu_count() or 1, environment.spark_defaults())
    packages, excludes = packages_and_excludes(confs)
    recorded = environment.recorded_jars(settings.ivy, packages, excludes)
    known = confs_without_ivy(confs, recorded)
    if known is not None:
        return _get_or_create(known, settings)
    resolving = {
        "spark.jars.packages": delta_packages(packages),
        **environment.ivy_confs(settings.ivy),
    }
    session = _get_or_create({**confs, **resolving}, settings, tries=2)
    resolved = _resolved(session, settings.ivy)
    if any(DELTAS in jar for jar in resolved):
        environment.record_jars(settings.ivy, packages, resolved, excludes)
    return session


def _resolved(session: SparkSession, ivy: Path) -> list[str]:
    """The jars among Spark's that Ivy put where it puts what it resolves."""
    folder = (ivy / "jars").resolve()
    found = items(session.conf.get("spark.jars", "") or "")
    return [jar for jar in found if Path(unquote(urlparse(jar).path)).parent.resolve() == folder]


def _get_or_create(
    confs: dict[str, str], settings: SessionSettings, tries: int = 1
) -> SparkSession:
    try:
        start_jvm(confs, yielding_confs(settings))
        with opening_the_catalog(settings.catalog_folder, confs):
            return _builder(_without_jars_to_resolve(confs)).getOrCreate()
    except PySparkRuntimeError:
        if tries > 1:  # a broken download leaves the other jars in Ivy's cache
            return _get_or_create(confs, settings, tries - 1)
        raise


def _without_jars_to_resolve(confs: dict[str, str]) -> dict[str, str]:
    """Beside packages the JVM has more jars than the confs name, which would take their place."""
    if "spark.jars.packages" not in confs:
        return confs
    return {name: value for name, value in confs.items() if name != "spark.jars"}


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
        package = DRIVER_PACKAGES[driver]
        in_profile = f"Name it once in the profile: packages: [{package}]"
        way = f"Start with --packages {package}" if spark_submit_runs() else in_profile
        raise SessionError(
            f"The catalog's database needs the driver {driver}, which is in none of Spark's jars."
            f" {way}"
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
