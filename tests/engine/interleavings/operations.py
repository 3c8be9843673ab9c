"""An operation of one writer, as Python text that can be pasted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from dbt.adapters.deltaspark import engine, scd2

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TARGET, SOURCE = "t", "s"
"""The folders of the two tables."""
NAMES = {"engine": engine, "scd2": scd2, "datetime": datetime, "timezone": timezone}


@dataclass(frozen=True, slots=True)
class Operation:
    """Python text over `spark`, `target` and `NAMES`; {t} and {s} are the two tables' names.

    `needs` are abilities that the table must have.
    """

    text: str
    needs: frozenset[str] = frozenset()

    def run(self, spark: SparkSession, folder: Path) -> None:
        target = engine.DeltaTarget.for_path(spark, str(folder / TARGET))
        exec(in_folder(self.text, folder), {**NAMES, "spark": spark, "target": target})


def in_folder(text: str, folder: Path) -> str:
    """The text with the names of the tables in this folder."""
    for name in (TARGET, SOURCE):
        text = text.replace(f"{{{name}}}", f"delta.`{folder / name}`")
    return text


def sql(*statements: str, needs: tuple[str, ...] = ()) -> Operation:
    """Delta's own commands, one after the other."""
    text = "\n".join(f"spark.sql({statement!r})" for statement in statements)
    return Operation(text, frozenset(needs))
