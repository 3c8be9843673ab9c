"""Comments of a model: with the rows of a new table, or on a relation that is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F

from .. import engine
from ..catalog import comment_statements, described, is_delta
from ..engine.spec import quoted

if TYPE_CHECKING:
    from dbt.adapters.base.relation import BaseRelation
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructField

    from ..settings import ModelConfig


def persist(spark: SparkSession, model: ModelConfig, relation: BaseRelation) -> None:
    """The model's comments on a relation that something else has made."""
    table, name = model.table, relation.render()
    if table.comment is None and not table.column_comments:
        return
    if not is_delta(spark, name):
        now = described(spark, relation)
        columns = {column.name: column.comment or "" for column in now.columns.values()}
        for statement in comment_statements(name, table, now.metadata.comment, columns):
            spark.sql(statement)
        return
    target = engine.DeltaTarget.for_name(spark, name)
    comments = table.comments_of(target.schema().names)
    with engine.altered(
        target,
        engine.TableDefinition(comment=table.comment, column_comments=comments),
        conflict_retries=model.conflict_retries,
        user_metadata=model.user_metadata,
    ):
        pass


def with_comments(source: DataFrame, comments: Sequence[tuple[str, str]]) -> DataFrame:
    """The rows under columns with these comments, which a table takes over with new columns."""
    texts = {name.lower(): text for name, text in comments}
    columns = [_commented(each, texts.get(each.name.lower())) for each in source.schema.fields]
    return source.select(*columns) if texts else source


def _commented(field: StructField, text: str | None) -> Column:
    column = F.col(quoted(field.name))
    if text is None:
        return column
    return column.alias(field.name, metadata={**field.metadata, "comment": text})
