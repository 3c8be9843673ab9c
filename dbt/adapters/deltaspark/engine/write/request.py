"""What is asked of a write to a table that is there: the rows, and what they replace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..anew import analyzed_anew
from ..delta import reads_other_columns

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
        return analyzed_anew(self.source, self.source_sql)
