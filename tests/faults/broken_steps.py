"""Steps of the engine that a test lets fail, and what a table holds after that."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

BEFORE = [(1, 1), (2, 2), (3, 3)]


class BrokenStep(Exception):
    """Raised where a test lets a step fail."""


def failing(step: Callable[..., object], *, after: bool) -> Callable[..., object]:
    def failed(*values: object, **options: object) -> object:
        if after:
            step(*values, **options)
        raise BrokenStep

    return failed


def rows_of(session: SparkSession, path: Path) -> list[tuple[int, int]]:
    return sorted(tuple(row) for row in session.read.format("delta").load(str(path)).collect())


class Tables:
    """A table of the rows BEFORE, with deletion vectors and without, made once to be copied."""

    def __init__(
        self, session: SparkSession, folder: Path, columns: str, check: str | None = None
    ) -> None:
        self._folder = folder
        for vectors in (True, False):
            table = f"delta.`{self._made(vectors)}`"
            session.sql(
                f"CREATE TABLE {table} ({columns}) USING delta"
                f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{str(vectors).lower()}')"
            )
            session.sql(f"INSERT INTO {table} VALUES {', '.join(map(str, BEFORE))}")
            if check is not None:
                session.sql(f"ALTER TABLE {table} ADD CONSTRAINT checked CHECK ({check})")

    def copied(self, folder: Path, *, vectors: bool) -> Path:
        """A copy in the folder, as a table of its own."""
        return Path(shutil.copytree(self._made(vectors), folder / "target"))

    def _made(self, vectors: bool) -> Path:
        return self._folder / ("vectors" if vectors else "plain")
