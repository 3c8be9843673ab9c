"""What a model says of its columns, put on the rows' own: comments, and lengths of texts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

from ..column_names import found
from ..engine.spec import CHAR_OR_VARCHAR, quoted
from ..engine.text_lengths import STRING, kept_type, length_of
from .cast_errors import naming_values
from .comments import with_comments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
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


def padded(rows: ModelRows, columns: StructType) -> ModelRows:
    """The rows of a later run, each text as the table's `char(n)` column holds it, which these are
    the columns of: a key of one letter is equal to the one that was written with a blank behind it.
    """
    kinds = _chars(rows.schema, columns)
    if not kinds:
        return rows
    selected = rows.select(*_padded_texts(rows.schema, kinds))
    fields = [
        F.col(quoted(each)).alias(each, metadata={CHAR_OR_VARCHAR: kinds[each]})
        if each in kinds
        else F.col(quoted(each))
        for each in selected.frame.columns
    ]
    return replace(selected, frame=selected.frame.select(*fields))


def padded_query(sql: str, schema: StructType, model: ModelConfig, table: StructType | None) -> str:
    """The query of a snapshot, its texts as the `char(n)` columns of the table hold them.

    `schema` is that of its rows; without a table it is the model's first run.
    """
    promised = (
        _as_promised(schema, model, schema.names)
        if table is None
        else promised_columns(model, table, schema)
    )
    kinds = _chars(schema, promised)
    return f"select {', '.join(_padded_texts(schema, kinds))} from (\n{sql}\n)" if kinds else sql


def _chars(source: StructType, table: StructType) -> dict[str, str]:
    """The source's texts that are shorter than what the table's column holds, with its type."""
    kinds = {each.name.lower(): kept_type(each.metadata) for each in table.fields}
    return {
        each.name: kinds[each.name.lower()]
        for each in source.fields
        if isinstance(each.dataType, StringType)
        and kinds.get(each.name.lower(), STRING).startswith("char")
        and kept_type(each.metadata) != kinds[each.name.lower()]
    }


def _padded_texts(source: StructType, kinds: Mapping[str, str]) -> list[str]:
    """Of each column as SQL; a longer text stays as it is, for the error that names it, but for
    blanks at its end.
    """
    columns = {each: quoted(each) for each in source.names}
    return [
        f"{_padded_text(column, kinds.get(name, STRING))} AS {column}"
        for name, column in columns.items()
    ]


def _padded_text(column: str, kind: str) -> str:
    if not kind.startswith("char"):
        return column
    size = length_of(kind)
    return f"if(length(rtrim({column})) <= {size}, rpad({column}, {size}, ' '), {column})"


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
    if promised.metadata == field.metadata:
        return F.col(quoted(field.name))
    text = _padded_text(quoted(field.name), kept_type(promised.metadata))
    return F.expr(text).alias(field.name, metadata=promised.metadata)
