"""Tables that are made, or replaced whole, by statements of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql.types import ArrayType, MapType, StructField, StructType

from ..spec import CHAR_OR_VARCHAR, quoted, text_literal
from ..table_clauses import properties_text, table_clauses
from .commits import as_view
from .properties import OF_DELTA

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import DataType

    from ..spec import WriteSpec


def create(source: DataFrame, table: str, spec: WriteSpec) -> None:
    """One CREATE [OR REPLACE] TABLE AS; definitions of columns cannot stand in it."""
    options = {key: text for key, text in spec.options if not key.startswith(OF_DELTA)}
    given = f"OPTIONS ({properties_text(options)})" if options else ""
    with as_view(source) as view:
        statement = f"{_head(table, spec)} USING delta {given}\n{_clauses(spec)}"
        source.sparkSession.sql(f"{statement}\nAS SELECT * FROM {view}").collect()


def without_rows(table: str, schema: StructType, spec: WriteSpec) -> str:
    """CREATE [OR REPLACE] TABLE with its columns defined."""
    return f"{_head(table, spec)} ({_columns(schema, spec)}) USING delta\n{_clauses(spec)}"


def _head(table: str, spec: WriteSpec) -> str:
    return f"CREATE {'OR REPLACE ' if spec.mode == 'overwrite' else ''}TABLE {table}"


def _clauses(spec: WriteSpec) -> str:
    options = {key: text for key, text in spec.options if key.startswith(OF_DELTA)}
    return table_clauses(
        partition_by=spec.partition_by,
        cluster_by=spec.cluster_by,
        comment=spec.comment,
        properties={**options, **dict(spec.properties)},
    )


def _columns(schema: StructType, spec: WriteSpec) -> str:
    said = {name.lower(): (name, text) for name, text in spec.columns}
    lines = []
    for field in schema.fields:
        kind = field.metadata.get(CHAR_OR_VARCHAR) or type_text(field.dataType)
        _, text = said.pop(field.name.lower(), ("", ""))
        lines.append(f"{quoted(field.name)} {kind} {text}{_comment(field)}")
    lines += [f"{quoted(name)} {text}" for name, text in said.values()]
    return ", ".join(lines)


def _comment(field: StructField) -> str:
    comment = (field.metadata or {}).get("comment")
    return f" COMMENT {text_literal(comment)}" if comment else ""


def type_text(kind: DataType) -> str:
    """The type as SQL, with the names of fields quoted; all of them may be null."""
    match kind:
        case StructType():
            fields = (f"{quoted(f.name)}: {type_text(f.dataType)}{_comment(f)}" for f in kind)
            return f"struct<{', '.join(fields)}>"
        case ArrayType():
            return f"array<{type_text(kind.elementType)}>"
        case MapType():
            return f"map<{type_text(kind.keyType)}, {type_text(kind.valueType)}>"
        case _:
            return kind.simpleString()
