"""One case: a table that others wrote, one change of ours, and what it had to leave."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING
from unittest.mock import patch

from limits import limits_drawn
from targets import with_conf

from dbt.adapters.deltaspark.engine.delta import Checksum, data_skipping

from .changes import TableRow, drawn_change, source_of
from .values import KINDS
from .writers import Written, write

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from .changes import Change, Drawn, Left
    from .values import Kind

UNFILTERED = (("spark.sql.parquet.filterPushdown", "false"),)
"""Nor does what reads the whole table under it have a filter by which files could be skipped."""
WAYS = ("few files", "a list of files", "the log")
"""By what the engine chooses files."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A table and the change to it; `way` is the one in which files are chosen."""

    table: Written
    kind: Kind
    change: Change
    drawn: Drawn
    way: str

    def told(self) -> str:
        said = "\n  ".join(self.table.said)
        statement = self.change.statement.replace("{condition}", self.drawn.of("t."))
        new = ", ".join(f"({'NULL' if k is None else k.sql}, {v})" for k, v in self.drawn.new)
        return f"{self.kind.name}, by {self.way}\n  {said}\n  {statement}\n  with {new}"


def difference(spark: SparkSession, seed: int, number: int) -> str | None:
    """In words, of the case that seed and number make; None where there is none."""
    with tempfile.TemporaryDirectory() as folder:
        trial = _trial(spark, Random(f"foreign {seed}:{number}"), Path(folder) / "table")
        try:
            found = _differs(spark, trial, seed, number)
        except Exception as error:  # none is expected: it is the case's difference
            found = f"{type(error).__name__}: {error}"
        return found and f"--- seed {seed}, case {number}: {trial.told()}\n{found}"


def _trial(spark: SparkSession, random: Random, path: Path) -> Trial:
    kind = random.choice(KINDS)
    way = random.choice(WAYS)
    change, drawn = drawn_change(random, kind)
    table = Written(spark, random, kind, str(path))
    write(table)
    return Trial(table, kind, change, drawn, way)


def _differs(spark: SparkSession, trial: Trial, seed: int, number: int) -> str | None:
    rows, drawn = _truth(spark, trial)
    expected = trial.change.left(rows, drawn)
    source = source_of(spark, trial.kind, drawn)
    with limits_drawn(number, seed).in_force(), ExitStack() as until:
        if trial.way != WAYS[0]:
            until.enter_context(patch.object(data_skipping, "FEW_FILES", 0))
        if trial.way == WAYS[2]:
            until.enter_context(patch.object(Checksum, "files", None))
        trial.change.run(spark, trial.table.name, source, drawn)
    found = _rows(spark, trial)
    if _sorted(found) == _sorted(expected):
        return None
    return f"left     {_sorted(found)}\nexpected {_sorted(expected)}"


def _sorted(rows: Left) -> list[tuple[str, int]]:
    return sorted((repr(key), v) for key, v in rows)


def _truth(spark: SparkSession, trial: Trial) -> tuple[list[TableRow], Drawn]:
    """Every row with what Spark says of it where nothing is left out, and the new rows' texts."""
    keys = [
        None if key is None else f"CAST({key.sql} AS {trial.kind.name})"
        for key, _ in trial.drawn.new
    ]
    texts = ", ".join(_shown(trial.kind, key) for key in keys)
    equal, same = (_met(keys, operator) for operator in ("=", "<=>"))
    with with_conf(spark, UNFILTERED):
        found = spark.sql(
            f"SELECT {trial.kind.shown}, v, coalesce({trial.drawn.of('')}, false), {equal}, {same}"
            f" FROM {trial.table.name}"
        ).collect()
        shown = spark.sql(f"SELECT array({texts})").collect()[0][0]
    rows = [TableRow(key, v, chosen, tuple(e), tuple(s)) for key, v, chosen, e, s in found]
    return rows, replace(trial.drawn, shown=tuple(shown))


def _shown(kind: Kind, key: str | None) -> str:
    return "CAST(NULL AS STRING)" if key is None else kind.shown.replace("k", key, 1)


def _met(keys: list[str | None], operator: str) -> str:
    tests = ", ".join(
        f"IF(k {operator} {key or 'NULL'}, {number}, NULL)" for number, key in enumerate(keys)
    )
    return f"array_compact(array({tests}))"


def _rows(spark: SparkSession, trial: Trial) -> Left:
    with with_conf(spark, UNFILTERED):
        found = spark.sql(f"SELECT {trial.kind.shown}, v FROM {trial.table.name}").collect()
    return [(key, v) for key, v in found]
