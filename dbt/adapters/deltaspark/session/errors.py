"""Why there is no session, and the ways out."""

from __future__ import annotations

from .secrets import masked


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
