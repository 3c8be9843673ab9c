"""What `dbt docs` shows of a relation, read from Spark's catalog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from dbt_common.contracts.metadata import CatalogTable, ColumnMetadata, TableMetadata

from .relation import DeltaSparkColumn

if TYPE_CHECKING:
    from dbt.adapters.base.relation import BaseRelation
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

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
COLUMNS = (*TEXT_COLUMNS, "column_index")
CHAR_OR_VARCHAR = "__CHAR_VARCHAR_TYPE_STRING"


def columns_of(schema: StructType) -> list[DeltaSparkColumn]:
    return [
        DeltaSparkColumn(
            column=field.name,
            dtype=(field.metadata or {}).get(CHAR_OR_VARCHAR, field.dataType.simpleString()),
            comment=(field.metadata or {}).get("comment"),
        )
        for field in schema.fields
    ]


def described(spark: SparkSession, relation: BaseRelation) -> CatalogTable:
    """One relation: its columns by analysis, the rest by one DESCRIBE."""
    name = relation.render()
    details = _details(spark, name)
    columns = columns_of(spark.table(name).schema)
    return CatalogTable(
        metadata=TableMetadata(
            type="view" if details.get("Type") == "VIEW" else "table",
            database=relation.database,
            schema=relation.schema or "",
            name=relation.identifier or "",
            comment=details.get("Comment"),
            owner=details.get("Owner"),
        ),
        columns={
            column.name: ColumnMetadata(
                type=column.dtype, index=index, name=column.name, comment=column.comment
            )
            for index, column in enumerate(columns, start=1)
        },
        stats={},
    )


def is_delta(spark: SparkSession, name: str) -> bool:
    return _details(spark, name).get("Provider") == "delta"


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
        }
