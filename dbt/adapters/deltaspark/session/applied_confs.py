"""What a session takes of the profile's confs, whoever has started its Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.delta import Jvm
from .confs import IN_EACH_SESSION, LISTS, LOG_TASKS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .confs import SessionSettings

OF_DELTA = "org.apache.spark.sql.delta.sources.DeltaSQLConf"
"""Spark lists Delta's confs as soon as this has been loaded."""
NOT_LISTED = ("spark.sql.catalog.", "spark.databricks.delta.properties.defaults.")
"""Confs that Spark does not list, and looks for in each session when a catalog is first used, or a
table is made."""


def apply_confs(session: SparkSession, settings: SessionSettings) -> None:
    """Sets those that a session can have of its own; the others are its Spark's."""
    if session.conf.get(LOG_TASKS[0], None) is None:  # somebody else has started Spark
        session.conf.set(*LOG_TASKS)
    for name, value in (*IN_EACH_SESSION, *settings.spark_config):
        if takes(session, name):
            session.conf.set(name, value)


def takes(session: SparkSession, name: str) -> bool:
    """Whether a session of a running Spark has the conf for itself."""
    Jvm(session).module(OF_DELTA)
    return session.conf.isModifiable(name) or name.startswith(NOT_LISTED)


def unapplied_confs(session: SparkSession, settings: SessionSettings) -> tuple[str, ...]:
    """The profile's confs that a session which was already running did not take."""
    confs = ((name, value, session.conf.get(name, None)) for name, value in settings.spark_config)
    return tuple(name for name, wanted, has in confs if not _is_applied(name, wanted, has))


def _is_applied(name: str, wanted: str, has: str | None) -> bool:
    """A list counts as applied where it stands among the adapter's own items; packages are jars."""
    if name == "spark.jars.packages":
        return True
    return has == wanted or (name in dict(LISTS) and wanted in (has or ""))
