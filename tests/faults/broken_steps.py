"""Steps of the engine that a test lets fail, and what a table holds after that."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pyspark.sql import SparkSession


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
