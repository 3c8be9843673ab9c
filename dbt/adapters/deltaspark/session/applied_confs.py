"""What a session takes of the profile's confs, whoever has started its Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..engine.delta import Jvm
from .confs import IN_EACH_SESSION, LISTS, LOG_TASKS, items

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .confs import SessionSettings

OF_DELTA = "org.apache.spark.sql.delta.sources.DeltaSQLConf"
"""Spark lists Delta's confs as soon as this has been loaded."""
NOT_LISTED = ("spark.sql.catalog.", "spark.databricks.delta.properties.defaults.")
"""Confs that Spark does not list, and looks for in each session when a catalog is first used, or a
table is made."""
JARS = ("spark.jars", "spark.jars.packages")


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


def not_applied(session: SparkSession, settings: SessionSettings, *, is_ours: bool) -> list[str]:
    """The profile's confs that the session has not; `is_ours`: the adapter started its Spark."""
    confs = ((name, value, session.conf.get(name, None)) for name, value in settings.spark_config)
    return [
        name for name, wanted, has in confs if not is_applied(name, wanted, has, is_ours=is_ours)
    ]


def is_applied(name: str, wanted: str, has: str | None, *, is_ours: bool) -> bool:
    """A list is applied where all of its items are there, in any order and among others.

    A Spark that is the adapter's was started with the jars, and may name them as it found them.
    """
    separator = dict(LISTS).get(name)
    if separator is None:
        return has == wanted
    if is_ours and name in JARS:
        return True
    parts = items if separator == "," else str.split
    asked, there = set(parts(wanted)), set(parts(has or ""))
    if name == "spark.jars":  # Spark makes a URL of a path
        asked, there = ({jar.rpartition("/")[2] for jar in jars} for jars in (asked, there))
    return asked <= there
