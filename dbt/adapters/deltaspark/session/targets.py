"""A process's later targets: their sessions have their own confs, and none of the first one's."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pyspark import SparkConf, SparkContext

from . import environment
from .applied_confs import takes
from .confs import added_confs, spark_confs, yielding_confs
from .jvm_start import spark_submit_runs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import SparkSession

    from .confs import SessionSettings


@dataclass(frozen=True, slots=True)
class Adjustment:
    """What a later target's session is given and freed of, and what a running Spark keeps."""

    given: tuple[tuple[str, str], ...] = ()
    unset: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    def apply(self, session: SparkSession) -> None:
        for name, value in self.given:
            session.conf.set(name, value)
        for name in self.unset:
            session.conf.unset(name)


def adjustment(session: SparkSession, first: SessionSettings, later: SessionSettings) -> Adjustment:
    """To what Spark would have, had it been started for `later`, of the same place as `first`."""
    had, wanted = _fresh_confs(_alike(first, later)), _fresh_confs(later)
    differ = [name for name in sorted({*had, *wanted}) if had.get(name) != wanted.get(name)]
    taken = [name for name in differ if takes(session, name)]
    return Adjustment(
        given=tuple((name, wanted[name]) for name in taken if name in wanted),
        unset=tuple(name for name in taken if name not in wanted),
        kept=tuple(name for name in differ if name not in taken),
    )


def _alike(first: SessionSettings, later: SessionSettings) -> SessionSettings:
    """One place may have two names; a running Spark's name and its cores are of no matter."""
    return replace(
        first,
        warehouse=later.warehouse,
        metastore=later.metastore,
        master=later.master,
        app_name=later.app_name,
    )


def _fresh_confs(settings: SessionSettings) -> Mapping[str, str]:
    """Those of a Spark that is started for these settings."""
    if spark_submit_runs():
        given = submitted_confs()
        return {**given, **added_confs(settings, given)}
    defaults = environment.spark_defaults()
    confs = spark_confs(settings, os.cpu_count() or 1, defaults)
    return {**yielding_confs(settings), **defaults, **confs}


def submitted_confs() -> dict[str, str]:
    """What spark-submit was given."""
    SparkContext._ensure_initialized()
    return dict(SparkConf(_jvm=SparkContext._jvm).getAll())
