"""`information_schema`, which Spark's catalogs have not, for statements that read it.

A reference to one of its tables becomes a temporary view of the session, filled when the statement
comes. The columns are those of Databricks' tables of these names that Spark's catalog can tell.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from pyspark.errors import AnalysisException

from ..column_names import bare
from ..sql_lexemes import BLANK, COMMENT, TEXT
from .jvm_errors import READ_ERRORS
from .type_texts import type_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructField

Row: TypeAlias = tuple[Any, ...]

WORD = "information_schema"
NAME = r"`(?:[^`]|``)+`|\"\w+\"|\w+"
"""Other databases quote with ", and so do packages that were written for them."""
REFERENCE = re.compile(
    rf"(?<![\w`.])(?:(?P<catalog>{NAME})\s*\.\s*)?(?P<q>[`\"]?){WORD}(?P=q)"
    r"\s*\.\s*(?P<quote>[`\"]?)(?P<table>schemata|tables|columns|views)(?P=quote)(?!\w)"
    rf"|(?P<text>{TEXT}|{COMMENT})",
    re.IGNORECASE | re.DOTALL,
)
BLANKS = re.compile(rf"\A{BLANK}*")
ALIAS = re.compile(
    r"`|(?!(?:where|on|using|join|inner|left|right|full|cross|semi|anti|natural|lateral|group|order"
    r"|sort|cluster|distribute|having|limit|offset|window|union|intersect|except|minus|setminus"
    r"|pivot|unpivot|select|insert)\b)[a-z_]",
    re.IGNORECASE,
)
"""The beginning of a word after a table that is none of a clause that may follow it."""
QUALIFIES = r"(?<![\w`.])`?{table}`?\s*\."
IS_THERE = (
    r"\b(?:from|join|into|using|as)\s+(?:(?:\w+|`[^`]+`)\s*\.\s*)*`?{table}`?(?![\w`])(?!\s*\.)"
    r"|(?<![\w`.])`?{table}`?\s+as\s*\("
)
"""A relation, an alias or a common table expression of the statement's own with that name."""
TABLE = "table_catalog string, table_schema string, table_name string"


def served(session: SparkSession, sql: str) -> str:
    """The statement with the session's own views where it names a table of information_schema.

    A schema of that name, where the catalog has one, is left alone.
    """
    if WORD not in sql.lower():
        return sql
    return REFERENCE.sub(partial(_served, session), sql)


def _served(session: SparkSession, reference: re.Match[str]) -> str:
    if reference["text"] is not None:
        return reference[0]
    catalog = (reference["catalog"] or f"`{session.catalog.currentCatalog()}`").strip('`"')
    if WORD in _schemas(session, catalog):
        return reference[0]
    table = reference["table"].lower()
    view = f"__{WORD}_{table}_of_{re.sub(r'[^0-9a-zA-Z]', '_', catalog)}"
    columns, rows = TABLES[table]
    filled = session.createDataFrame([*rows(session, catalog)], columns)
    filled.createOrReplaceTempView(view)
    return _named(view, reference, table)


def _named(view: str, reference: re.Match[str], table: str) -> str:
    """The view, under the table's name where the statement calls its columns by that alone.

    Not where the statement has something else of that name, which it means then.
    """
    others = REFERENCE.sub(" ", reference.string)
    uses, has = (
        re.search(each.format(table=table), others, re.IGNORECASE) for each in (QUALIFIES, IS_THERE)
    )
    if not uses or has:
        return view
    after = BLANKS.sub("", reference.string[reference.end() :])
    if after.startswith("."):  # the reference is of a column
        return f"`{table}`"
    return view if ALIAS.match(after) else f"{view} as `{table}`"


def _schemata(session: SparkSession, catalog: str) -> Iterator[Row]:
    return ((catalog, schema) for schema in _schemas(session, catalog))


def _tables(session: SparkSession, catalog: str) -> Iterator[Row]:
    for schema in _schemas(session, catalog):
        views = {*_view_names(session, f"`{catalog}`.`{schema}`")}
        for name in _names(session, f"SHOW TABLES IN `{catalog}`.`{schema}`"):
            yield catalog, schema, name, "VIEW" if name in views else "BASE TABLE"


def _columns(session: SparkSession, catalog: str) -> Iterator[Row]:
    for _, schema, name, _ in _tables(session, catalog):
        for place, field in enumerate(_fields(session, f"`{catalog}`.`{schema}`.`{name}`"), 1):
            is_nullable = "YES" if field.nullable else "NO"
            kind = re.split(r"[(<]", field.dataType.simpleString())[0].upper()
            whole, about = type_of(field), (field.metadata or {}).get("comment")
            yield catalog, schema, name, field.name, place, is_nullable, kind, whole, about


def _fields(session: SparkSession, name: str) -> list[StructField]:
    """None of a table whose files or view whose tables are gone: information, not a reading."""
    try:
        return session.table(name).schema.fields
    except READ_ERRORS:
        return []


def _views(session: SparkSession, catalog: str) -> Iterator[Row]:
    for schema in _schemas(session, catalog):
        for name in _view_names(session, f"`{catalog}`.`{schema}`"):
            asked = f"DESCRIBE TABLE EXTENDED `{catalog}`.`{schema}`.`{name}`"
            try:
                told = {row[0]: row[1] for row in session.sql(asked).collect()}
            except AnalysisException:  # it has gone meanwhile
                continue
            yield catalog, schema, name, told.get("View Text")


def _schemas(session: SparkSession, catalog: str) -> list[str]:
    """Spark writes a name that is no plain one in backticks."""
    return [bare(row[0]) for row in session.sql(f"SHOW SCHEMAS IN `{catalog}`").collect()]


def _view_names(session: SparkSession, schema: str) -> list[str]:
    """None in a catalog that keeps no views."""
    try:
        return _names(session, f"SHOW VIEWS IN {schema}")
    except AnalysisException as error:
        if (error.getCondition() or "").startswith("MISSING_CATALOG_ABILITY"):
            return []
        raise


def _names(session: SparkSession, statement: str) -> list[str]:
    """Without the session's temporary views, which are in no schema; none where it has gone."""
    try:
        found = session.sql(statement).collect()
    except AnalysisException as error:
        if error.getCondition() == "SCHEMA_NOT_FOUND":
            return []
        raise
    return [name for _, name, is_temporary in found if not is_temporary]


TABLES: dict[str, tuple[str, Callable[[SparkSession, str], Iterator[Row]]]] = {
    "schemata": ("catalog_name string, schema_name string", _schemata),
    "tables": (f"{TABLE}, table_type string", _tables),
    "columns": (
        f"{TABLE}, column_name string, ordinal_position int, is_nullable string,"
        " data_type string, full_data_type string, comment string",
        _columns,
    ),
    "views": (f"{TABLE}, view_definition string", _views),
}
