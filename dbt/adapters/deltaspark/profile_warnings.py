"""What of a profile a session does not have, told once a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dbt.adapters.events.logging import AdapterLogger

from .session import (
    idle_keys,
    kept_confs,
    runs_here_by_others,
    shown,
    unapplied_confs,
    unprotected,
    warning_of_temporary,
)

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

    from .credentials import DeltaSparkCredentials
    from .session import SessionSettings

logger = AdapterLogger("deltaspark")


class ProfileWarnings:
    """What was told already, by the keys and confs that it is about."""

    def __init__(self, settings: SessionSettings) -> None:
        self._settings = settings
        self._told: set[str] = set()

    def tell(self, session: SparkSession, credentials: DeltaSparkCredentials) -> None:
        self._warn_of_idle(credentials)
        self._warn_of_unapplied(session)
        self._warn_of_kept(session)
        self._warn_of_unprotected(session)

    def tell_of_temporary(self, project: Path, credentials: DeltaSparkCredentials) -> None:
        """Before Spark is started there."""
        warning = warning_of_temporary(project, credentials.warehouse, credentials.metastore)
        if warning and warning not in self._told and not runs_here_by_others():
            self._told.add(warning)
            logger.warning(warning)

    def _warn_of_idle(self, credentials: DeltaSparkCredentials) -> None:
        idle = [key for key in idle_keys(self._settings) if key in credentials.given_for_the_start]
        if idle and not self._told.issuperset(idle):
            self._told.update(idle)
            logger.warning(
                f"The profile's {', '.join(idle)} {'have' if len(idle) > 1 else 'has'} no effect:"
                " that is said to a Spark that dbt starts, and this one runs already (a server,"
                " spark-submit, a notebook). Say it there, or leave it out here"
            )

    def _warn_of_unapplied(self, session: SparkSession) -> None:
        for name in set(unapplied_confs(session, self._settings)) - self._told:
            self._told.add(name)
            kept = shown(name, session.conf.get(name, None))
            logger.warning(
                f"spark_config: {name} was not applied, since the SparkSession was already running"
                f" and keeps its own value ({kept})"
            )

    def _warn_of_kept(self, session: SparkSession) -> None:
        kept = [name for name in kept_confs(session, self._settings) if name not in self._told]
        if kept:
            self._told.update(kept)
            logger.warning(
                "The Spark of this process was started for another target, whose values stay in"
                f" force for {', '.join(kept)}: give both targets the same, or run each in a"
                " process of its own"
            )

    def _warn_of_unprotected(self, session: SparkSession) -> None:
        if self._settings.remote is not None:
            return  # what writes beside it, its server has to know
        risk = unprotected(lambda name: session.conf.get(name, None))
        if risk is not None and risk not in self._told:
            self._told.add(risk)
            logger.warning(risk)
