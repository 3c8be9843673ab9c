"""The process's SparkSession: how it is configured, started once, and shared by threads."""

from __future__ import annotations

import logging
import os
import threading
from dataclasses import dataclass
from pathlib import Path

from delta import configure_spark_with_delta_pip
from pyspark import SparkContext
from pyspark.errors import PySparkRuntimeError
from pyspark.sql import SparkSession

from . import environment
from .jvm_errors import message_of
from .jvm_start import spark_submit_runs, start_jvm
from .secrets import FOR_SPARK, cause, known_secrets, masked, shown

DELTA = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
BINDINGS = ("spark.sql.legacy.parameterSubstitution.constantsOnly", "true")
"""Delta 4.4's parser drops the arguments of `spark.sql(text, args=…)` when Spark 4.1 binds them in
the text; with this, Spark binds them in the plan, as it did before."""
JDBC_DRIVERS = {
    "jdbc:postgresql": "org.postgresql.Driver",
    "jdbc:mysql": "com.mysql.cj.jdbc.Driver",
    "jdbc:mariadb": "org.mariadb.jdbc.Driver",
}
LISTS = (
    ("spark.sql.extensions", ","),
    ("spark.driver.extraJavaOptions", " "),
    ("spark.jars", ","),
)
LOG4J = Path(__file__).with_name("log4j2.properties")
DERBY_IS_TAKEN = "Another instance of Derby may have already booted the database"
STARTING = threading.Lock()


class SessionError(Exception):
    """Spark could not be started or reached; the message says why and what to do."""


class CatalogLockedError(SessionError):
    """Another process holds the embedded catalog, which takes one process at a time."""

    def __init__(self, metastore: str) -> None:
        super().__init__(
            f"The embedded catalog in {masked(metastore)} is in use by another process; it takes"
            " one process at a time.\nWays out: wait for the other process (a dbt run, a notebook,"
            " an IDE) to end; or give this one a `metastore` folder of its own in profiles.yml; or"
            " let both use a shared catalog: metastore: thrift://host:9083 (a Hive metastore), or"
            " metastore: jdbc:postgresql://host/db?user=…&password=… with its driver in `jars`."
        )


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """How to get a session; folders are absolute or URIs."""

    warehouse: str | None = None
    metastore: str | None = None
    master: str | None = None
    remote: str | None = None
    driver_memory: str | None = None
    jars: tuple[str, ...] = ()
    spark_config: tuple[tuple[str, str], ...] = ()
    app_name: str = "dbt-deltaspark"

    @property
    def is_local(self) -> bool:
        return self.remote is None and (self.master or "").startswith("local")

    @property
    def catalog_folder(self) -> Path | None:
        """Where the embedded catalog is, unless the metastore is a service or a database."""
        named = self.metastore
        return None if named is None or named.startswith(("thrift:", "jdbc:")) else Path(named)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no text may show that these settings are part of."""
        places = [("remote", self.remote), ("metastore", self.metastore)]
        places += [("warehouse", self.warehouse), *(("jars", jar) for jar in self.jars)]
        return known_secrets([*places, *self.spark_config])

    @property
    def ivy(self) -> Path:
        """Where Spark 4.1 keeps the jars that it resolves."""
        return Path(dict(self.spark_config).get("spark.jars.ivy", "~/.ivy2.5.2")).expanduser()


def open_session(settings: SessionSettings) -> SparkSession:
    """A session for the calling thread: own confs, temp views and current schema."""
    if settings.remote is not None:
        return _remote_session(settings.remote, settings)
    session = _base_session(settings).newSession()
    for name, value in (BINDINGS, *settings.spark_config):
        if session.conf.isModifiable(name):
            session.conf.set(name, value)
    return session


def unapplied_confs(session: SparkSession, settings: SessionSettings) -> tuple[str, ...]:
    """The profile's confs that a session which was already running did not take."""
    confs = ((name, value, session.conf.get(name, None)) for name, value in settings.spark_config)
    return tuple(name for name, wanted, has in confs if not _is_applied(name, wanted, has))


def _is_applied(name: str, wanted: str, has: str | None) -> bool:
    """A list counts as applied where it stands among the adapter's own items."""
    return has == wanted or (name in dict(LISTS) and wanted in (has or ""))


def _remote_session(url: str, settings: SessionSettings) -> SparkSession:
    environment.check_versions()
    builder = SparkSession.builder.remote(url)
    for name, value in (BINDINGS, *settings.spark_config):
        builder = builder.config(name, value)
    try:
        session: SparkSession = builder.create()
    except ImportError as error:
        raise SessionError(
            f"`remote: {masked(url)}` needs Spark Connect's client, and this Python lacks it:"
            f" {error}\nInstall it: pip install 'pyspark[connect]>=4.1,<4.2'"
        ) from error
    return session


def _base_session(settings: SessionSettings) -> SparkSession:
    with STARTING:
        if SparkContext._active_spark_context is None:  # pyspark has no public way to ask
            return _start(settings)
        found = SparkSession.builder.getOrCreate()
        if DELTA["spark.sql.extensions"] not in (found.conf.get("spark.sql.extensions", "") or ""):
            raise SessionError(
                "This process already has a SparkSession, and it was started without Delta Lake."
                " Stop it (spark.stop()), or start it with: "
                + ", ".join(f"{name}={value}" for name, value in DELTA.items())
            )
        return found


def spark_confs(settings: SessionSettings, cores: int) -> dict[str, str]:
    """Every conf of a session that the adapter starts; the profile's `spark_config` wins."""
    name = {"spark.app.name": settings.app_name}
    confs = {**name, **DELTA, **dict([BINDINGS]), **_catalog_confs(settings)}
    if settings.is_local:
        confs |= _local_confs(settings, cores)
    if settings.master is not None:
        confs["spark.master"] = settings.master
    if settings.driver_memory is not None:
        confs["spark.driver.memory"] = settings.driver_memory
    if settings.jars:
        confs["spark.jars"] = ",".join(settings.jars)
    return _merged(confs, dict(settings.spark_config))


def _merged(ours: dict[str, str], theirs: dict[str, str]) -> dict[str, str]:
    """Theirs win; where both need their items in one list, it has both."""
    merged = {**ours, **theirs}
    for name, separator in LISTS:
        if name in ours and name in theirs and ours[name] not in theirs[name]:
            merged[name] = f"{ours[name]}{separator}{theirs[name]}"
    return merged


def _local_confs(settings: SessionSettings, cores: int) -> dict[str, str]:
    """What makes small data quick and quiet on one machine; a cluster's own settings stand."""
    options = [f'"-Dlog4j2.configurationFile={LOG4J.as_uri()}"']
    if settings.catalog_folder is not None:
        options.append(f'"-Dderby.stream.error.file={settings.catalog_folder / "derby.log"}"')
    return {
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": " ".join(options),
        "spark.databricks.delta.snapshotPartitions": "2",
        # Delta keeps the log of every table for an hour, with some MB of plans each, up to 10,000.
        "spark.databricks.delta.delta.log.cacheSize": "100",
        "spark.redaction.regex": FOR_SPARK,
        # Spark keeps 100 compiled plans; a few models have more, and would compile them each time.
        "spark.sql.codegen.cache.maxEntries": "1000",
        "spark.sql.shuffle.partitions": str(2 * cores),
        "spark.sql.sources.default": "delta",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }


def _catalog_confs(settings: SessionSettings) -> dict[str, str]:
    """Hive's catalog, so that tables and views outlive the process."""
    confs = {"spark.sql.catalogImplementation": "hive"}
    if settings.warehouse is not None:
        confs["spark.sql.warehouse.dir"] = settings.warehouse
    metastore = settings.metastore
    if metastore is None:
        return confs
    if metastore.startswith("thrift:"):
        return {**confs, "spark.hadoop.hive.metastore.uris": metastore}
    if settings.catalog_folder is not None:
        metastore = f"jdbc:derby:;databaseName={settings.catalog_folder / 'derby'};create=true"
    option = "spark.hadoop.javax.jdo.option.Connection"
    driver = JDBC_DRIVERS.get(":".join(metastore.split(":")[:2]))
    return {
        **confs,
        f"{option}URL": metastore,
        **({f"{option}DriverName": driver} if driver is not None else {}),
    }


def _start(settings: SessionSettings) -> SparkSession:
    environment.check_versions()
    if not spark_submit_runs():
        environment.check_java()
    if settings.catalog_folder is not None:
        settings.catalog_folder.mkdir(parents=True, exist_ok=True)
    if settings.is_local:
        for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
    session = _with_delta_jars(settings)
    _reach_catalog(session, settings)
    return session


def _with_delta_jars(settings: SessionSettings) -> SparkSession:
    confs = spark_confs(settings, os.cpu_count() or 1)
    known = confs_without_ivy(confs, environment.recorded_jars(settings.ivy))
    if known is not None:
        return _get_or_create(known)
    packages = _items(confs.pop("spark.jars.packages", ""))
    session = _get_or_create({**confs, **_packages(packages)}, tries=2)
    if not packages:
        own = set(_items(confs.get("spark.jars", "")))
        resolved = _items(session.conf.get("spark.jars", "") or "")
        environment.record_jars(settings.ivy, [jar for jar in resolved if jar not in own])
    return session


def confs_without_ivy(confs: dict[str, str], recorded: tuple[str, ...]) -> dict[str, str] | None:
    """The confs with all jar files, if Delta's are named or on record; None if Ivy must resolve."""
    own = _items(confs.get("spark.jars", ""))
    if any("delta-spark_" in jar.rpartition("/")[2] for jar in own):
        return confs
    if not recorded or "spark.jars.packages" in confs:
        return None
    return {**confs, "spark.jars": ",".join((*recorded, *own))}


def _items(text: str) -> list[str]:
    return [item for item in text.split(",") if item]


def _packages(others: list[str]) -> dict[str, str]:
    """Delta's and these, as Delta names its own."""
    builder = configure_spark_with_delta_pip(SparkSession.builder, others)
    return {"spark.jars.packages": builder._options["spark.jars.packages"]}


def _get_or_create(confs: dict[str, str], tries: int = 1) -> SparkSession:
    try:
        start_jvm(confs)
        return _builder(confs).getOrCreate()
    except PySparkRuntimeError as error:
        if tries > 1:  # a broken download leaves the other jars in Ivy's cache
            return _get_or_create(confs, tries - 1)
        raise SessionError(
            f"Spark did not start ({error}); what it said is printed above. If it could not"
            " download Delta Lake's jars, name a repository that this machine reaches"
            " (spark_config: {spark.jars.repositories: …}), or name jar files on disk (jars: […])."
        ) from error


def _builder(confs: dict[str, str]) -> SparkSession.Builder:
    builder = SparkSession.builder
    for name, value in confs.items():
        builder = builder.config(name, value)
    return builder


def _reach_catalog(session: SparkSession, settings: SessionSettings) -> None:
    try:
        session.catalog.databaseExists("default")
    except Exception as error:  # any failure ends the same way: stopped, then raised
        session.stop()
        if DERBY_IS_TAKEN in message_of(error, causes=True):
            raise CatalogLockedError(str(settings.catalog_folder)) from error
        secrets, place = settings.secrets, shown("metastore", settings.metastore)
        # Hive says only that it failed; what is wrong, it says in the last of the causes.
        last = message_of(error, causes=True).splitlines()[-1]
        told = f"The catalog ({place}) cannot be reached: {message_of(error)}\n{last}"
        raise SessionError(masked(told, secrets)) from cause(error, secrets)
