"""A source that reads what other writers have changed meanwhile: its query is analyzed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from .errors import SourceReadsTargetError
from .spec import quoted

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


def analyzed_anew(source: DataFrame, sql: str | None) -> DataFrame:
    """The query's rows as of now, under the comments and lengths that the source's columns have.

    Raises SourceReadsTargetError where the source has no query.
    """
    if sql is None:
        raise SourceReadsTargetError()
    rows = source.sparkSession.sql(sql)
    notes = {each.name.lower(): each.metadata for each in source.schema.fields}
    columns = {
        name: F.col(quoted(name)).alias(name, metadata=notes[name.lower()])
        for name in rows.columns
        if notes.get(name.lower())
    }
    return rows.withColumns(columns) if columns else rows
