"""Tables as statements leave them, made once a process and copied for each test."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class TableFrom:
    """Lays a table into a folder: what the statements leave, in which its name is {table}."""

    def __init__(self, spark: SparkSession, folder: Path) -> None:
        self._spark = spark
        self._folder = folder
        self._made: dict[tuple[str, ...], Path] = {}

    def __call__(self, path: Path, *statements: str) -> Path:
        if statements not in self._made:
            made = self._folder / str(len(self._made))
            for statement in statements:
                self._spark.sql(statement.format(table=f"delta.`{made}`"))
            self._made[statements] = made
        shutil.copytree(self._made[statements], path)
        return path

    def two_rows(self, path: Path, *, vectors: bool) -> Path:
        """1 is a and 2 is b, in one file of version 1."""
        return self(
            path,
            "CREATE TABLE {table} (id INT, v STRING) USING delta"
            f" TBLPROPERTIES ('delta.enableDeletionVectors' = '{str(vectors).lower()}')",
            "INSERT INTO {table} VALUES (1, 'a'), (2, 'b')",
        )
