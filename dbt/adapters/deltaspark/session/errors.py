"""Why there is no session, and the ways out."""

from __future__ import annotations

from .secrets import masked

NO_JARS = (
    "\nWays out: name a repository that this machine reaches (spark_config:"
    " {spark.jars.repositories: https://…}), or jar files on disk (jars: […])."
)


class SessionError(Exception):
    """Spark could not be started or reached; the message says why and what to do."""


class CatalogLockedError(SessionError):
    """Another process holds the embedded catalog, which takes one process at a time."""

    def __init__(self, metastore: str) -> None:
        super().__init__(
            f"The embedded catalog in {masked(metastore)} is in use by another process; it takes"
            " one process at a time.\nWays out: wait for the other process (a dbt run, a notebook,"
            " an IDE) to end; `deltaspark stop`, where it is a Spark that stays"
            " warm; or give this one a `metastore` folder of its own in profiles.yml; or"
            " let both use a shared catalog: metastore: thrift://host:9083 (a Hive metastore), or"
            " metastore: jdbc:postgresql://host/db, with user and password in it, and its"
            " driver in `packages`."
        )


class NotStartedError(SessionError):
    """There is no Spark; `said` is what its JVM gave as the reason, where it had started."""

    def __init__(self, error: str, said: str) -> None:
        told = f". It said:\n{said}" if said else f": {error}"
        way = NO_JARS if "unresolved dependency" in said else ""
        super().__init__(f"Spark did not start{told}{way}")
