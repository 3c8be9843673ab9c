"""What a model says of its columns, put on the rows' own: comments, and lengths of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

from ..column_names import found
from ..engine.spec import CHAR_OR_VARCHAR, quoted
from ..engine.text_lengths import STRING, kept_type
from .cast_errors import naming_values
from .comments import with_comments

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from pyspark.sql import DataFrame

    from ..settings import ModelConfig
    from .model_rows import ModelRows


def described(source: DataFrame, model: ModelConfig, names: Sequence[str]) -> DataFrame:
    """The rows under columns with what a table takes over with new ones: of these names those that
    have comments or lengths.
    """
    source = with_comments(source, model.table.comments_of(names))
    if not model.table.constraints.lengths:
        return source
    schema = source.schema
    promised = _as_promised(schema, model, names)
    if promised == schema:
        return source
    return source.select(*map(_described, schema.fields, promised.fields))


def promised_columns(model: ModelConfig, theirs: StructType, source: StructType) -> StructType:
    """The table's columns, and those that it is to get, as the write finds them."""
    new = [field for field in source.fields if found(field.name, theirs.names) is None]
    names = (theirs.names if model.applies_changes else []) + [field.name for field in new]
    return _as_promised(StructType([*theirs.fields, *new]), model, names)


def naming_lengths(model: ModelConfig, rows: ModelRows) -> AbstractContextManager[None]:
    """Texts that are too long for a new table's columns are named with their keys."""

    def columns() -> StructType:
        return _as_promised(rows.schema, model, rows.schema.names)

    return naming_values(lambda: rows.frame, model.unique_key, columns)


def _as_promised(schema: StructType, model: ModelConfig, names: Sequence[str]) -> StructType:
    """The columns, those of these names with the length that the contract gives them."""
    lengths = {
        name.lower(): kind
        for name, kind in model.table.constraints.lengths
        if found(name, names) is not None
    }
    return StructType([_promised(each, lengths.get(each.name.lower())) for each in schema.fields])


def _promised(field: StructField, kind: str | None) -> StructField:
    given = field.metadata or {}
    if kind is None or kind == kept_type(given) or not isinstance(field.dataType, StringType):
        return field
    others = {key: each for key, each in given.items() if key != CHAR_OR_VARCHAR}
    metadata = others if kind == STRING else {**others, CHAR_OR_VARCHAR: kind}
    return StructField(field.name, field.dataType, field.nullable, metadata)


def _described(field: StructField, promised: StructField) -> Column:
    column = F.col(quoted(field.name))
    if promised.metadata == field.metadata:
        return column
    return column.alias(field.name, metadata=promised.metadata)
