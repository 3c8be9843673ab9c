"""Every conf of the Spark that the adapter starts, from the profile's settings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..engine.delta import KNOWS_ITS_COMMITS
from .environment import is_local
from .errors import SessionError
from .secrets import FOR_SPARK, known_secrets

DELTA_CATALOG = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
DELTA = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": DELTA_CATALOG,
}
BINDINGS = ("spark.sql.legacy.parameterSubstitution.constantsOnly", "true")
"""Delta 4.4's parser drops the arguments of `spark.sql(text, args=…)` when Spark 4.1 binds them in
the text; with this, Spark binds them in the plan, as it did before."""
IN_EACH_SESSION = (BINDINGS, KNOWS_ITS_COMMITS)
DRIVER_PACKAGES = {
    "org.postgresql.Driver": "org.postgresql:postgresql:42.7.8",
    "com.mysql.cj.jdbc.Driver": "com.mysql:mysql-connector-j:9.4.0",
    "org.mariadb.jdbc.Driver": "org.mariadb.jdbc:mariadb-java-client:3.5.6",
}
JDBC_DRIVERS = {
    "jdbc:postgresql": "org.postgresql.Driver",
    "jdbc:mysql": "com.mysql.cj.jdbc.Driver",
    "jdbc:mariadb": "org.mariadb.jdbc.Driver",
}
LISTS = (
    ("spark.sql.extensions", ","),
    ("spark.driver.extraJavaOptions", " "),
    ("spark.jars", ","),
    ("spark.jars.packages", ","),
    ("spark.jars.excludes", ","),
)
CATALOG_KIND = "spark.sql.catalogImplementation"
CATALOG_URL = "spark.hadoop.javax.jdo.option.ConnectionURL"
CATALOG_DRIVER = "spark.hadoop.javax.jdo.option.ConnectionDriverName"
EMBEDDED = "jdbc:derby:;"
S3 = frozenset({"s3", "s3a", "s3n"})
LOG4J = Path(__file__).with_name("log4j2.properties")
FOR_ANY_MASTER = {
    # Delta keeps the log of every table for an hour, with some MB of plans each, up to 10,000.
    "spark.databricks.delta.delta.log.cacheSize": "100",
    # PySpark looks for the line of Python behind each column: ten calls for one.
    "spark.python.sql.dataFrameDebugging.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
LOG_TASKS = ("spark.databricks.delta.snapshotPartitions", "16")
"""Tasks that read a table's log: 50 in Delta, of which most are empty."""
CHECKPOINT_FILES = (
    "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
)

ONE_PROCESS = re.compile(r"local(\[.*\])?")
"""Masters whose tasks run in the driver; `local-cluster[…]` starts executors."""
DERBY = "derby"
"""The embedded catalog's database, in the folder that `metastore` names."""
COMPILER = (
    "-XX:Tier4InvocationThreshold=250000 -XX:Tier4MinInvocationThreshold=30000"
    " -XX:Tier4CompileThreshold=750000 -XX:Tier4BackEdgeThreshold=2000000"
)
"""Java compiles what is hot a second time, and better. By its own thresholds, a fiftieth of these,
that takes a fifth of a small build's CPU time; loops over many rows pass these ones soon enough."""


@dataclass(frozen=True, slots=True)
class SessionSettings:
    """How to get a session; folders are absolute or URIs.

    `keep_alive`: seconds that Spark goes on after the last process has used it; None: it ends with
    the process.
    """

    warehouse: str | None = None
    metastore: str | None = None
    master: str | None = None
    remote: str | None = None
    driver_memory: str | None = None
    jars: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()
    spark_config: tuple[tuple[str, str], ...] = ()
    app_name: str = "dbt-deltaspark"
    keep_alive: float | None = None

    @property
    def is_local(self) -> bool:
        return self.remote is None and is_local(self.master)

    @property
    def catalog_folder(self) -> Path | None:
        """Where the embedded catalog is, unless the metastore is a service or a database."""
        named = self.metastore
        return None if named is None or named.startswith(("thrift:", "jdbc:")) else Path(named)

    @property
    def warehouse_folder(self) -> Path | None:
        """Where the tables are, unless that is a URL."""
        named = self.warehouse or ":"
        return None if ":" in named and not Path(named).is_absolute() else Path(named)

    @property
    def catalog_driver(self) -> str | None:
        """The class of the JDBC driver by which the catalog's database is reached."""
        return JDBC_DRIVERS.get(":".join((self.metastore or "").split(":")[:2]))

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


def spark_confs(
    settings: SessionSettings, cores: int, defaults: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Every conf of a session that the adapter starts; the profile's `spark_config` wins.

    `defaults`: what spark-defaults.conf says. Its lists join the adapter's; Spark reads the rest.
    """
    name = {"spark.app.name": settings.app_name}
    confs = {**name, **DELTA, **dict(IN_EACH_SESSION), **_catalog_confs(settings)}
    if settings.is_local:
        confs |= _local_confs(settings, cores)
    if settings.master is not None:
        confs["spark.master"] = settings.master
    if settings.driver_memory is not None:
        confs["spark.driver.memory"] = settings.driver_memory
    if settings.jars:
        confs["spark.jars"] = ",".join(settings.jars)
    if settings.packages:
        confs["spark.jars.packages"] = ",".join(settings.packages)
    lists = {name: value for name, value in (defaults or {}).items() if name in dict(LISTS)}
    return _merged(_merged(confs, lists), dict(settings.spark_config))


def yielding_confs(settings: SessionSettings) -> dict[str, str]:
    """What helps on a cluster, too, and gives way to all that anybody else has set."""
    if settings.is_local:
        return {}
    return FOR_ANY_MASTER | dict([LOG_TASKS])


def added_confs(settings: SessionSettings, given: Mapping[str, str]) -> dict[str, str]:
    """What a driver that spark-submit has started gets besides the confs that it was given.

    Delta's two, what helps, and what the profile asks for; what is the adapter's alone gives way to
    theirs.
    """
    gives_way = {CATALOG_KIND, *dict(LISTS)} - {*dict(settings.spark_config)}
    if settings.app_name == SessionSettings().app_name:
        gives_way.add("spark.app.name")
    stands = {name: value for name, value in given.items() if name in gives_way}
    helps = yielding_confs(settings).items()
    return {
        **{name: value for name, value in helps if name not in given},
        **_merged(spark_confs(settings, 1), stands),
    }


def _merged(ours: dict[str, str], theirs: dict[str, str]) -> dict[str, str]:
    """Theirs win; where both need their items in one list, it has both."""
    both = {
        name: _joined(ours[name], theirs[name], separator)
        for name, separator in LISTS
        if name in ours and name in theirs
    }
    return {**ours, **theirs, **both}


def _joined(ours: str, theirs: str, separator: str) -> str:
    if separator == ",":
        return ",".join(dict.fromkeys((*items(ours), *items(theirs))))
    return theirs if ours in theirs else f"{ours}{separator}{theirs}"


def _local_confs(settings: SessionSettings, cores: int) -> dict[str, str]:
    """What makes small data quick and quiet on one machine."""
    options = [f'"-Dlog4j2.configurationFile={LOG4J.as_uri()}"', COMPILER]
    if settings.catalog_folder is not None:
        options.append(f'"-Dderby.stream.error.file={settings.catalog_folder / "derby.log"}"')
        options.append("-Dderby.locks.deadlockTimeout=1")  # Derby looks for one after 20 s
    return {
        **FOR_ANY_MASTER,
        **_authentication(settings),
        # Else 4 and 64 MB, made for a few rows: Java's collector would start time and again.
        "spark.broadcast.blockSize": "256k",
        "spark.buffer.pageSize": "4m",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": " ".join(options),
        "spark.databricks.delta.snapshotPartitions": "2",
        "spark.redaction.regex": FOR_SPARK,
        # Spark keeps 100 compiled plans; a few models have more, and would compile them each time.
        "spark.sql.codegen.cache.maxEntries": "1000",
        "spark.sql.shuffle.partitions": str(2 * cores),
        "spark.sql.sources.default": "delta",
        # A commit's checksum file is renamed without starting eight processes that look for links.
        "spark.sql.streaming.checkpointFileManagerClass": CHECKPOINT_FILES,
        # Each query's plan is written out for a UI, whether there is one or not.
        "spark.sql.ui.explainMode": "simple",
        "spark.sql.session.timeZone": "UTC",
        "spark.ui.enabled": "false",
    }


def _authentication(settings: SessionSettings) -> dict[str, str]:
    """Other users of this machine reach the driver's ports: they answer nobody without a secret.

    Spark makes it up, and only its memory has it; where it has executors it needs a given one.
    """
    alone = dict(settings.spark_config).get("spark.master", settings.master)
    return {"spark.authenticate": "true"} if ONE_PROCESS.fullmatch(alone or "") else {}


def unprotected(conf: Callable[[str], object]) -> str | None:
    """Why two processes that write one table could lose a commit; None where nothing is known.

    `conf` tells the session's value of a name: the profile's do not count where something else has
    started Spark. An S3 takes the file of a version twice, and Delta's store for it locks within
    one Spark alone. The embedded catalog lets no second process of its project in; others have
    catalogs of their own, and may have the warehouse.
    """
    scheme = str(conf("spark.sql.warehouse.dir") or "").partition(":")[0]
    stores = ("spark.delta.logStore.class", f"spark.delta.logStore.{scheme}.impl")
    if scheme not in S3 or any(map(conf, stores)):
        return None
    is_alone = str(conf(CATALOG_URL) or "").startswith(EMBEDDED)
    whose = " (of another machine, or another project with this warehouse)" if is_alone else ""
    return (
        f"The warehouse is an S3 ({scheme}://), where Delta's commits are safe from each other"
        f" within one Spark alone: two processes{whose} that write one table at the same time can"
        " lose rows of one of them. Let one write at a time, or name a log store that excludes them"
        f" (spark_config: {{spark.delta.logStore.{scheme}.impl: …}}); see docs/deployment.md"
    )


def _catalog_confs(settings: SessionSettings) -> dict[str, str]:
    """Hive's catalog, so that tables and views outlive the process."""
    confs = {CATALOG_KIND: "hive"}
    if settings.warehouse is not None:
        confs["spark.sql.warehouse.dir"] = settings.warehouse
    metastore = settings.metastore
    if metastore is None:
        return confs
    if metastore.startswith("thrift:"):
        return {**confs, "spark.hadoop.hive.metastore.uris": metastore}
    if settings.catalog_folder is not None:
        if ";" in metastore:
            raise SessionError(
                f"The embedded catalog cannot be in {metastore}: Derby ends a folder's name at a"
                " `;`. Give the profile a `metastore` folder whose path has none."
            )
        metastore = f"{EMBEDDED}databaseName={settings.catalog_folder / DERBY};create=true"
        # Hive tries ten times: that another process holds the catalog is told in a second, not 20.
        confs["spark.hadoop.hive.hmshandler.retry.interval"] = "100ms"
    driver = settings.catalog_driver
    return {
        **confs,
        CATALOG_URL: metastore,
        **({CATALOG_DRIVER: driver} if driver is not None else {}),
    }


def confs_without_ivy(confs: dict[str, str], recorded: tuple[str, ...]) -> dict[str, str] | None:
    """The confs with all jar files, if Delta's are named or on record; None if Ivy must resolve.

    `recorded`: what Ivy once resolved for Delta and `packages_and_excludes`.
    """
    own = items(confs.get("spark.jars", ""))
    if any("delta-spark_" in jar.rpartition("/")[2] for jar in own):
        return confs
    if not recorded:
        return None
    others = {name: value for name, value in confs.items() if name != "spark.jars.packages"}
    return {**others, "spark.jars": ",".join((*recorded, *own))}


def packages_and_excludes(confs: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The confs' own packages, and what Ivy leaves out of what they and Delta need."""
    return items(confs.get("spark.jars.packages", "")), items(confs.get("spark.jars.excludes", ""))


def items(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]
