"""What is asked of a write to a table that is there: the rows, and what they replace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from ..delta import reads_other_columns
from ..errors import SourceReadsTargetError
from ..spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from ..delta import Jvm, Transaction
    from ..spec import WriteSpec


@dataclass(frozen=True, slots=True)
class Write:
    """A write to a table that is there."""

    jvm: Jvm
    source: DataFrame
    table: str
    spec: WriteSpec
    source_sql: str | None

    def rows_for(self, txn: Transaction) -> DataFrame:
        """The source, analyzed anew where it reads columns that the table has not any more."""
        if not reads_other_columns(self.jvm, self.jvm.analyzed(self.source), txn.snapshot):
            return self.source
        if self.source_sql is None:
            raise SourceReadsTargetError()
        rows = self.source.sparkSession.sql(self.source_sql)
        notes = {each.name.lower(): each.metadata for each in self.source.schema.fields}
        columns = {
            name: F.col(quoted(name)).alias(name, metadata=notes[name.lower()])
            for name in rows.columns
            if notes.get(name.lower())
        }
        return rows.withColumns(columns) if columns else rows
