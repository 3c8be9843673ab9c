"""What a table is, changed by ALTER TABLE statements: a commit each, taken back after an error."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..definition import MAPPING_MODE, Alteration, Change, TableState, changes_of
from ..delta import noted
from ..errors import EngineError, add_note
from ..spec import quoted, text_literal
from .commits import newest_version, properties_of, session_confs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..definition import NamedTable
    from ..spec import TableDefinition


@contextmanager
def altered(
    target: NamedTable,
    definition: TableDefinition,
    *,
    conflict_retries: int = 5,  # noqa: ARG001  the server's ALTER TABLE tries again by itself
    user_metadata: str | None = None,
) -> Iterator[Alteration]:
    """Make the table what the definition says, for the block that writes to it.

    Where a statement or the block raises, the changes before it are taken back, the last one
    first; what cannot be taken back is a note of the error.
    """
    spark, table = target.spark, target.name
    done: list[Change] = []
    try:
        with session_confs(spark, noted(user_metadata)):
            for change in _with_mapping(state_of(spark, table), definition):
                spark.sql(_statement(table, change)).collect()
                done.append(change)
        version = newest_version(spark, table) if done else None
        yield Alteration(version, tuple(map(str, done)))
    except BaseException as error:
        _undo(spark, table, done, error)
        raise


def _with_mapping(now: TableState, definition: TableDefinition) -> list[Change]:
    """What differs; before a column is dropped column mapping is turned on, and stays so."""
    changes = [*changes_of(now, definition)]
    if now.maps_columns or all(change.kind != "column" for change in changes):
        return changes
    return [Change("property", MAPPING_MODE, "name", "name"), *changes]


def state_of(spark: SparkSession, table: str) -> TableState:
    """What the table is now."""
    detail = spark.sql(f"DESCRIBE DETAIL {table}").collect()[0]
    schema = spark.table(table).schema
    versions = {name: detail[name] for name in ("minReaderVersion", "minWriterVersion")}
    return TableState(
        metadata={
            "configuration": properties_of(spark, table),
            "description": detail["description"],
            "schemaString": schema.json(),
            "partitionColumns": detail["partitionColumns"],
        },
        protocol=versions,
        features=frozenset(each.lower() for each in detail["tableFeatures"]),
        clustering=tuple(detail["clusteringColumns"] or ()),
    )


def _statement(table: str, change: Change) -> str:
    alter, name = f"ALTER TABLE {table}", quoted(change.name)
    value = text_literal(str(change.after or ""))
    match change.kind:
        case "comment":
            return f"COMMENT ON TABLE {table} IS {value}"
        case "comment of column":
            return f"{alter} ALTER COLUMN {name} COMMENT {value}"
        case "not null":
            verb = "SET" if change.after == "true" else "DROP"
            return f"{alter} ALTER COLUMN {name} {verb} NOT NULL"
        case "clustering":
            return f"{alter} CLUSTER BY {_columns(change)}"
        case "column" if change.after != "dropped":
            raise EngineError(f"the dropped column {name} does not come back")
        case "column":
            return f"{alter} DROP COLUMN {name}"
        case _:
            return f"{alter} {_of_configuration(change)}"


def _of_configuration(change: Change) -> str:
    """A property or a check, which is one, too."""
    key, name = text_literal(change.name), quoted(change.name)
    if change.kind == "check":
        if change.after is None:
            return f"DROP CONSTRAINT IF EXISTS {name}"
        return f"ADD CONSTRAINT {name} CHECK ({change.after}\n)"
    if change.after is None:
        return f"UNSET TBLPROPERTIES IF EXISTS ({key})"
    return f"SET TBLPROPERTIES ({key} = {text_literal(str(change.after))})"


def _columns(change: Change) -> str:
    names = change.after
    return f"({', '.join(map(quoted, names))})" if isinstance(names, tuple) and names else "NONE"


def _undo(spark: SparkSession, table: str, done: list[Change], error: BaseException) -> None:
    try:
        while done:
            spark.sql(_statement(table, done[-1].backwards())).collect()
            done.pop()
    except Exception as failure:  # whatever fails here, the error that led here is raised
        left = "; ".join(map(str, done))
        add_note(error, f"{table} stays as it was changed ({left}): {failure}")
