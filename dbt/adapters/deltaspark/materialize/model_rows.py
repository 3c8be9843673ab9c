"""The rows of a model: a DataFrame that nothing has read yet, and the query that it came from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..engine.spec import quoted
from ..settings import without_semicolon

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType


@dataclass(frozen=True, slots=True)
class ModelRows:
    """Rows to write. The query lets a write that is replayed evaluate them anew."""

    frame: DataFrame
    sql: str | None = None
    """None for a Python model."""

    @property
    def schema(self) -> StructType:
        return self.frame.schema

    def select(self, *columns: str) -> ModelRows:
        """These SQL expressions of the rows."""
        return self._with(self.frame.selectExpr(*columns), f"SELECT {', '.join(columns)}")

    def where(self, condition: str) -> ModelRows:
        """The rows for which the SQL condition is true."""
        return self._with(self.frame.where(condition), "SELECT *", f"WHERE {condition}")

    def one_of_each(self, keys: Sequence[str], order_by: Sequence[str], *, last: bool) -> ModelRows:
        """The first or the last row of each key in this order; null keys are one key."""
        names = [quoted(name) for name in self.frame.columns]
        place, size = _fresh(self.frame.columns, "place"), _fresh(self.frame.columns, "size")
        group = f"PARTITION BY {', '.join(keys)}"
        numbered = self.select(
            "*",
            f"row_number() OVER ({group} ORDER BY {', '.join(order_by)}) AS {place}",
            f"count(*) OVER ({group}) AS {size}",
        )
        return numbered.where(f"{place} = {size if last else 1}").select(*names)

    def _with(self, frame: DataFrame, select: str, where: str = "") -> ModelRows:
        if self.sql is None:
            return ModelRows(frame)
        query = without_semicolon(self.sql).strip()
        # The line break ends a comment that the query may close with.
        return ModelRows(frame, f"{select} FROM (\n{query}\n) {where}")


def _fresh(columns: Sequence[str], name: str) -> str:
    """A name that none of the columns has."""
    taken = {column.lower() for column in columns}
    while name in taken:
        name = f"_{name}"
    return name
