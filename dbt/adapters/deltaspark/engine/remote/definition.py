"""What a table is, changed by ALTER TABLE statements: a commit each, taken back after an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ..definition import MAPPING_MODE, Alteration, Change, TableState, changes_of
from ..delta import noted
from ..errors import EngineError, add_note
from ..spec import quoted, text_literal
from .commits import newest_version, properties_of, session_confs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..definition import NamedTable
    from ..spec import TableDefinition


class _Done(NamedTuple):
    """A change that is made, and the table's version before it where a column was dropped."""

    change: Change
    before: int | None


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
    changes = _with_mapping(state_of(spark, table), definition)
    _refuse(table, changes)
    done: list[_Done] = []
    try:
        with session_confs(spark, noted(user_metadata)):
            for change in changes:
                before = newest_version(spark, table) if change.kind == "column" else None
                spark.sql(_statement(table, change)).collect()
                done.append(_Done(change, before))
        version = newest_version(spark, table) if done else None
        yield Alteration(version, tuple(str(each.change) for each in done))
    except BaseException as error:
        _undo(spark, table, done, error)
        raise


def _refuse(table: str, changes: Sequence[Change]) -> None:
    for change in changes:
        if change.kind == "not null" and change.after == "true":
            raise EngineError(
                f"{change.name} of {table} cannot become NOT NULL over Spark Connect: the server"
                " has no statement for it; nothing was written. Make the table anew"
                f" (--full-refresh), or give it a check: {quoted(change.name)} IS NOT NULL"
            )


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


def _undo(spark: SparkSession, table: str, done: list[_Done], error: BaseException) -> None:
    undone = 0
    try:
        while done:
            spark.sql(_undoing(spark, table, done[-1], undone)).collect()
            done.pop()
            undone += 1
    except Exception as failure:  # whatever fails here, the error that led here is raised
        left = "; ".join(str(each.change) for each in done)
        add_note(error, f"{table} stays as it was changed ({left}): {failure}")


def _undoing(spark: SparkSession, table: str, done: _Done, undone: int) -> str:
    """A column that was dropped comes back with its values by its version before alone.

    Each change that was undone since is two commits.
    """
    if done.before is None:
        return _statement(table, done.change.backwards())
    if newest_version(spark, table) != done.before + 1 + 2 * undone:
        raise EngineError("another commit came after it")
    return f"RESTORE TABLE {table} TO VERSION AS OF {done.before}"
