"""Runs operations on copies of a table: in every order, and one inside of another."""

from __future__ import annotations

import re
import shutil
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from sessions import for_small_tables, forget_tables

from dbt.adapters.deltaspark.engine import EngineError

from .left import Left, flaws_of, left_in
from .moments import Passing, watched
from .operations import TARGET, Operation, in_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

    from .kinds import Kind

CRASH = "CRASH"


@dataclass(frozen=True, slots=True)
class Landing:
    """A rival's operation at the n-th time that the moment passes."""

    operation: Operation
    moment: str
    nth: int = 1


@dataclass(frozen=True, slots=True)
class Run:
    """What became of operations one after the other: the error of each, "" for none."""

    folder: Path
    errors: tuple[str, ...]
    passed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Interleaved:
    """The same for one operation, the first, with others inside of it."""

    errors: tuple[str, ...]
    left: Left
    flaws: tuple[str, ...]
    missed: tuple[str, ...]
    """Moments that did not come, so that their rivals followed."""


@dataclass(slots=True)
class Bench:
    """Folders of tables as operations left them, made once each."""

    spark: SparkSession
    root: Path
    ours: SparkSession = field(init=False)
    rival: SparkSession = field(init=False)
    _runs: dict[tuple[Kind, tuple[Operation, ...]], Run] = field(default_factory=dict)
    _lefts: dict[Path, Left] = field(default_factory=dict)
    _copies: int = 0

    def __post_init__(self) -> None:
        self.ours, self.rival = (for_small_tables(self.spark) for _ in range(2))

    def after(self, kind: Kind, operations: tuple[Operation, ...]) -> Run:
        """The table after the operations, one after the other."""
        key = (kind, operations)
        if key not in self._runs:
            self._runs[key] = self._follow(kind, operations) if operations else self._made(kind)
        return self._runs[key]

    def _made(self, kind: Kind) -> Run:
        folder = self._new_folder()
        for statement in kind.statements():
            self.rival.sql(in_folder(statement, folder))
        return Run(folder, ())

    def _follow(self, kind: Kind, operations: tuple[Operation, ...]) -> Run:
        before = self.after(kind, operations[:-1])
        folder, passing = self._copy(before.folder), Passing({})
        with watched(passing):
            error = attempt(operations[-1], self.ours, folder)
        return Run(folder, (*before.errors, error), frozenset(passing.counts))

    def left_by(self, run: Run) -> Left:
        """Read once, and only where somebody asks."""
        if run.folder not in self._lefts:
            self._lefts[run.folder] = left_in(self.spark, run.folder / TARGET)
        return self._lefts[run.folder]

    def interleaved(self, kind: Kind, ours: Operation, landings: Sequence[Landing]) -> Interleaved:
        folder = self._copy(self.after(kind, ()).folder)
        errors = [""] * (1 + len(landings))

        def land(number: int, operation: Operation) -> None:
            with ThreadPoolExecutor(1) as elsewhere:
                rival = elsewhere.submit(attempt, operation, self.rival, folder)
                errors[number] = rival.result()

        rivals = {
            (landing.moment, landing.nth): partial(land, number, landing.operation)
            for number, landing in enumerate(landings, start=1)
        }
        passing = Passing(rivals)
        with watched(passing):
            errors[0] = attempt(ours, self.ours, folder)
        missed = passing.land_the_rest()
        left, flaws = self._read(kind, folder)
        shutil.rmtree(folder)
        return Interleaved(tuple(errors), left, flaws, tuple(missed))

    def _read(self, kind: Kind, folder: Path) -> tuple[Left, tuple[str, ...]]:
        left = left_in(self.spark, folder / TARGET)
        if not left.columns:
            return left, left.rows
        since = len([*(self.after(kind, ()).folder / TARGET / "_delta_log").glob("*.json")]) - 1
        return left, tuple(flaws_of(self.spark, folder / TARGET, kind.features, since))

    def forget(self) -> None:
        """Remove all folders but those of tables as they were made."""
        forget_tables(self.spark)
        for key, run in [*self._runs.items()]:
            if key[1]:
                shutil.rmtree(run.folder)
                self._lefts.pop(run.folder, None)
                del self._runs[key]

    def _new_folder(self) -> Path:
        self._copies += 1
        return self.root / str(self._copies)

    def _copy(self, folder: Path) -> Path:
        return shutil.copytree(folder, self._new_folder())


def attempt(operation: Operation, spark: SparkSession, folder: Path) -> str:
    """Run it; what the error that it ends in says first, "" for none.

    What is neither Spark's nor the engine's error is a fault of ours.
    """
    try:
        operation.run(spark, folder)
    except (PySparkException, Py4JError, EngineError) as error:
        text = str(error)
        said = re.search(r"\[[A-Z_.]+\].*", text) or re.match(r".*", text.strip())
        return f"{type(error).__name__}: {said and said[0]}".replace(str(folder), "…")
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return f"{CRASH} {error!r} at {frame.filename}:{frame.lineno}"
    return ""
