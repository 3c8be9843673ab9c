"""Tables that are made, or replaced whole, by statements of the server."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pyspark.errors import PySparkException
from pyspark.sql.types import ArrayType, MapType, StructField, StructType

from ..definition import DEFAULTS
from ..errors import EngineError
from ..spec import CHAR_OR_VARCHAR, quoted, text_literal
from ..table_clauses import properties_text, table_clauses
from ..write import AGAIN
from .commits import as_view, is_conflict, plain
from .properties import OF_DELTA
from .statement_parts import NO_CODE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import DataType

    from ..spec import WriteSpec

TAKEN = ("TABLE_OR_VIEW_ALREADY_EXISTS", "DELTA_TABLE_ALREADY_EXISTS")
OF_THE_QUERY = "DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS"
DEFAULT = re.compile(r"(\bBY\s+)?\bDEFAULT\b", re.IGNORECASE)
"""In the code of a column's definition; after BY, of an identity column's."""


def create(source: DataFrame, table: str, spec: WriteSpec) -> None:
    """One CREATE [OR REPLACE] TABLE AS; definitions of columns cannot stand in it."""
    options = {key: text for key, text in spec.options if not key.startswith(OF_DELTA)}
    given = f"OPTIONS ({properties_text(options)})" if options else ""
    with as_view(source) as view:
        statement = f"{_head(table, spec)} USING delta {given}\n{_clauses(spec)}"
        run(source.sparkSession, f"{statement}\nAS SELECT * FROM {view}", table, spec)


def without_rows(table: str, schema: StructType, spec: WriteSpec) -> str:
    """CREATE [OR REPLACE] TABLE with its columns defined."""
    return f"{_head(table, spec)} ({_columns(schema, spec)}) USING delta\n{_clauses(spec)}"


def run(spark: SparkSession, statement: str, table: str, spec: WriteSpec) -> None:
    """Raises EngineError where the table is to be new, and another writer made it first.

    That is not tried again: what the name has by now may be anything.
    """
    try:
        spark.sql(statement).collect()
    except PySparkException as error:
        if spec.replaces_whole or not _came_first(error):
            raise
        raise made_by_another(table) from error


def made_by_another(table: str) -> EngineError:
    return EngineError(f"{plain(table)} was made by another writer first; {AGAIN}")


def _came_first(error: PySparkException) -> bool:
    """Whether it is another's table, and not a table of the query that changed meanwhile."""
    condition = error.getCondition()
    return condition in TAKEN or (is_conflict(error) and condition != OF_THE_QUERY)


def _head(table: str, spec: WriteSpec) -> str:
    return f"CREATE {'OR REPLACE ' if spec.replaces_whole else ''}TABLE {table}"


def _clauses(spec: WriteSpec) -> str:
    options = {key: text for key, text in spec.options if key.startswith(OF_DELTA)}
    return table_clauses(
        partition_by=spec.partition_by,
        cluster_by=spec.cluster_by,
        comment=spec.comment,
        properties={**_features(spec), **options, **dict(spec.properties)},
    )


def _features(spec: WriteSpec) -> dict[str, str]:
    """The table feature that columns with a DEFAULT need: CREATE TABLE does not add it."""
    texts = (NO_CODE.sub(" ", text) for _, text in spec.columns)
    needs = any(not found[1] for text in texts for found in DEFAULT.finditer(text))
    return {DEFAULTS: "supported"} if needs else {}


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
