"""Tables that are made, or replaced whole, by the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.errors import PySparkException

from ..errors import add_note
from ..spec import quoted, text_literal
from .commits import as_view, newest_version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from ..spec import WriteSpec

CHAR_OR_VARCHAR = "__CHAR_VARCHAR_TYPE_STRING"


def create(spark: SparkSession, table: str, source: DataFrame, spec: WriteSpec) -> None:
    """One CREATE [OR REPLACE] TABLE AS.

    Columns with constraints cannot stand in it: then the table is made first and the rows are
    inserted, two commits; after an error the table is brought back to its version before, or
    dropped where it is new.
    """
    verb = "CREATE OR REPLACE TABLE" if spec.mode == "overwrite" else "CREATE TABLE"
    clauses = "\n".join(_clauses(spec))
    if not spec.columns:
        with as_view(source) as view:
            spark.sql(f"{verb} {table} {clauses}\nAS SELECT * FROM {view}").collect()
        return
    before = newest_version(spark, table)
    spark.sql(f"{verb} {table} ({_columns(source.schema, spec)}) {clauses}").collect()
    try:
        source.writeTo(table).append()
    except BaseException as error:
        _undo(spark, table, before, error)
        raise


def _clauses(spec: WriteSpec) -> Iterator[str]:
    properties = dict(spec.properties)
    location = properties.pop("location", None)
    yield "USING delta"
    if spec.partition_by:
        yield f"PARTITIONED BY ({', '.join(map(quoted, spec.partition_by))})"
    if spec.cluster_by:
        yield f"CLUSTER BY ({', '.join(map(quoted, spec.cluster_by))})"
    if location is not None:
        yield f"LOCATION {text_literal(location)}"
    if spec.comment is not None:
        yield f"COMMENT {text_literal(spec.comment)}"
    if properties:
        pairs = (f"{text_literal(key)} = {text_literal(text)}" for key, text in properties.items())
        yield f"TBLPROPERTIES ({', '.join(pairs)})"


def _columns(schema: StructType, spec: WriteSpec) -> str:
    said = {name.lower(): (name, text) for name, text in spec.columns}
    lines = []
    for field in schema.fields:
        kind = (field.metadata or {}).get(CHAR_OR_VARCHAR, field.dataType.simpleString())
        _, text = said.pop(field.name.lower(), ("", ""))
        comment = (field.metadata or {}).get("comment")
        about = f" COMMENT {text_literal(comment)}" if comment else ""
        lines.append(f"{quoted(field.name)} {kind} {text}{about}")
    lines += [f"{quoted(name)} {text}" for name, text in said.values()]
    return ", ".join(lines)


def _undo(spark: SparkSession, table: str, before: int, error: BaseException) -> None:
    undo = f"RESTORE TABLE {table} TO VERSION AS OF {before}"
    try:
        spark.sql(undo if before >= 0 else f"DROP TABLE {table}").collect()
    except PySparkException as failure:
        add_note(error, f"{table} was made anew and has no rows; undoing it failed: {failure}")
