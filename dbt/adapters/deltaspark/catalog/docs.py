"""What `dbt docs` shows of a relation, read from Spark's catalog and Delta's log."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt.adapters.events.types import AdapterEventWarning
from dbt_common.contracts.metadata import CatalogTable, ColumnMetadata, TableMetadata
from dbt_common.events.functions import warn_or_error
from pyspark.errors import AnalysisException
from pyspark.sql.types import StructType
from pyspark.sql.utils import is_remote

from ..engine import detail_of
from ..engine.delta import CATALYST, Jvm, optional
from ..engine.spec import SESSION_CATALOG
from ..session import READ_ERRORS, message_of, type_of
from .locations import lies_in
from .relation import DeltaSparkColumn
from .statistics import STATISTICS_COLUMNS, in_columns, statistics

if TYPE_CHECKING:
    from dbt.adapters.base.relation import BaseRelation
    from pyspark.sql import SparkSession

    from ..engine import TableDetail
    from ..engine.delta import JavaObject

TEXT_COLUMNS = (
    "table_database",
    "table_schema",
    "table_name",
    "table_type",
    "table_comment",
    "table_owner",
    "column_name",
    "column_type",
    "column_comment",
)
COLUMNS = (*TEXT_COLUMNS, "column_index", *STATISTICS_COLUMNS)
MISSING = ("TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND", "REQUIRES_SINGLE_PART_NAMESPACE")
"""The last of a catalog that is not there: Spark takes its name for a schema's."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What the catalog itself has of a relation."""

    is_view: bool
    owner: str | None
    comment: str | None


UNKNOWN = _Entry(is_view=False, owner=None, comment=None)


def columns_of(schema: StructType) -> list[DeltaSparkColumn]:
    return [
        DeltaSparkColumn(
            column=field.name,
            dtype=type_of(field),
            comment=(field.metadata or {}).get("comment"),
        )
        for field in schema.fields
    ]


def described(spark: SparkSession, relation: BaseRelation) -> CatalogTable:
    """One relation; raises AnalysisException where there is none."""
    entry = _entry_by_statement(spark, relation)
    try:
        return _described(spark, relation, entry)
    except READ_ERRORS as error:
        return _unreadable(spark, relation, entry, error)


def all_described(spark: SparkSession, relations: Iterable[BaseRelation]) -> list[CatalogTable]:
    """Those of the relations that are there; no statement, but for tables of other catalogs."""
    schemas: dict[tuple[str | None, str | None], list[BaseRelation]] = {}
    for each in relations:
        schemas.setdefault((each.database, each.schema), []).append(each)
    return [
        found
        for members in schemas.values()
        for entries in [_entries(spark, members)]
        for relation in members
        if (found := _found(spark, relation, entries.get(_key(relation)))) is not None
    ]


def _found(
    spark: SparkSession, relation: BaseRelation, entry: _Entry | None
) -> CatalogTable | None:
    """None where it has gone meanwhile."""
    known = entry
    try:
        known = entry or _entry_by_statement(spark, relation)
        return _described(spark, relation, known)
    except READ_ERRORS as error:
        is_missing = isinstance(error, AnalysisException) and error.getCondition() in MISSING
        if is_missing and not (known and known.is_view):
            return None
        return _unreadable(spark, relation, known or UNKNOWN, error)


def _described(spark: SparkSession, relation: BaseRelation, entry: _Entry) -> CatalogTable:
    """Columns and statistics as they are when the relation is read."""
    table = spark.table(relation.render())
    detail = None if entry.is_view or is_remote() else detail_of(table)
    comment = entry.comment if detail is None else detail.description
    return _catalog_table(relation, entry, comment, columns_of(table.schema), detail)


def _unreadable(
    spark: SparkSession, relation: BaseRelation, entry: _Entry, error: Exception
) -> CatalogTable:
    """A view whose tables are gone, or a table whose files are, as the catalog has it."""
    problem = message_of(error).partition("\n")[0]
    text = f"{relation} cannot be read, and its columns may be out of date in the docs: {problem}"
    warn_or_error(AdapterEventWarning(name="deltaspark", base_msg=text))
    return _catalog_table(relation, entry, entry.comment, _known_columns(spark, relation), None)


def _known_columns(spark: SparkSession, relation: BaseRelation) -> list[DeltaSparkColumn]:
    """As they were when the view was made; none where the catalog has not kept them."""
    if known := _in_catalog(spark, [relation]):
        return columns_of(StructType.fromJson(json.loads(known[0].schema().json())))
    try:  # Spark cuts long types here
        described = spark.sql(f"DESCRIBE TABLE {relation.render()}").collect()
    except READ_ERRORS:
        return []
    return [DeltaSparkColumn(name, kind, comment=comment) for name, kind, comment in described]


def _catalog_table(
    relation: BaseRelation,
    entry: _Entry,
    comment: str | None,
    columns: Sequence[DeltaSparkColumn],
    detail: TableDetail | None,
) -> CatalogTable:
    return CatalogTable(
        metadata=TableMetadata(
            type="view" if entry.is_view else "table",
            database=relation.database,
            schema=relation.schema or "",
            name=relation.identifier or "",
            comment=comment,
            owner=entry.owner,
        ),
        columns={
            column.name: ColumnMetadata(
                type=column.dtype, index=index, name=column.name, comment=column.comment
            )
            for index, column in enumerate(columns, start=1)
        },
        stats=statistics(detail),
    )


def _key(relation: BaseRelation) -> str:
    return (relation.identifier or "").lower()


def _entries(spark: SparkSession, relations: Sequence[BaseRelation]) -> dict[str, _Entry]:
    return {
        each.identifier().table().lower(): _Entry(
            each.tableType().name() == "VIEW", each.owner() or None, optional(each.comment())
        )
        for each in _in_catalog(spark, relations)
    }


def _in_catalog(spark: SparkSession, relations: Sequence[BaseRelation]) -> list[JavaObject]:
    """One schema's relations, by one question to the session's catalog; none of others'."""
    schema = relations[0]
    if is_remote() or schema.database not in (None, SESSION_CATALOG):
        return []
    jvm = Jvm(spark)
    identifier = jvm.type(f"{CATALYST}.TableIdentifier")
    names = [identifier(each.identifier, jvm.some(schema.schema)) for each in relations]
    catalog = jvm.session.sessionState().catalog()
    if not catalog.databaseExists(schema.schema):
        return []
    return list(jvm.items(catalog.getTablesByName(jvm.seq(names))))


def _entry_by_statement(spark: SparkSession, relation: BaseRelation) -> _Entry:
    details = _details(spark, relation.render())
    return _Entry(details.get("Type") == "VIEW", details.get("Owner"), details.get("Comment"))


def is_delta(spark: SparkSession, name: str) -> bool:
    return format_of(spark, name) == "delta"


def format_of(spark: SparkSession, name: str) -> str | None:
    """A table's file format; None for a view, and where there is nothing of the name."""
    try:
        return _details(spark, name).get("Provider", "").lower() or None
    except AnalysisException as error:
        if error.getCondition() not in MISSING:
            raise
    return None


def location_of(spark: SparkSession, name: str) -> str:
    """Where a table that is there has its files; empty where the catalog does not say."""
    return _details(spark, name).get("Location", "")


def is_managed(spark: SparkSession, name: str) -> bool:
    """Whether the files of a table that is there go with it when it is dropped."""
    return _details(spark, name).get("Type") == "MANAGED"


def is_in(spark: SparkSession, name: str, location: str) -> bool:
    """Whether a table that is there is known to have its files in this folder."""
    return lies_in(location_of(spark, name), location)


def _details(spark: SparkSession, name: str) -> dict[str, str]:
    """The lines of DESCRIBE EXTENDED that are not about columns."""
    rows = [(row[0], row[1]) for row in spark.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()]
    names = [row[0] for row in rows]
    start = names.index("# Detailed Table Information") if len(names) else 0
    return dict(rows[start + 1 :])


def rows_of(table: CatalogTable) -> Iterator[dict[str, Any]]:
    """dbt's catalog rows, one a column."""
    about = table.metadata
    for column in table.columns.values():
        yield {
            "table_database": about.database,
            "table_schema": about.schema,
            "table_name": about.name,
            "table_type": about.type,
            "table_comment": about.comment,
            "table_owner": about.owner,
            "column_name": column.name,
            "column_type": column.type,
            "column_comment": column.comment,
            "column_index": column.index,
            **in_columns(table.stats),
        }
