"""What a table is, changed by ALTER TABLE statements: a commit each, taken back after an error."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pyspark.errors import PySparkException

from ..definition import (
    MAPPING_MODE,
    ROW_TRACKING,
    Alteration,
    Change,
    TableState,
    asked_versions,
    changes_of,
    clustering_names,
    clustering_text,
)
from ..delta import noted, once, session_confs
from ..errors import EngineError, SpecError, add_note
from ..spec import CHECKS, quoted, text_literal
from ..table_clauses import properties_text
from ..text_lengths import only_grows
from .commits import newest_version, uninterrupted
from .keys import has_been_executed
from .properties import detail_of, spelled, tokens, without_raw_texts

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from ..definition import NamedTable
    from ..spec import TableDefinition


AGAIN = "nothing was written. Make the table anew (--full-refresh)"
NO_STATEMENT = f" over Spark Connect: the server has no statement for it; {AGAIN}"


class _Done(NamedTuple):
    """A change that is made, and the table's version before it where only that brings it back."""

    change: Change
    before: int | None


@contextmanager
def altered(
    target: NamedTable,
    definition: TableDefinition,
    *,
    conflict_retries: int = 5,  # noqa: ARG001  the server's ALTER TABLE tries again by itself
    user_metadata: str | None = None,
    idempotency_key: str | None = None,
) -> Iterator[Alteration]:
    """Make the table what the definition says, for the block that writes to it.

    Where a statement or the block raises, the changes before it are taken back, the last one
    first; what cannot be taken back, or another writer changed since, is a note of the error.
    """
    spark, table = target.spark, target.name
    now = state_of(spark, table)
    wanted = _as_spelled(now, definition)
    key = once(idempotency_key)
    is_done = bool(key) and has_been_executed(spark, table, key)
    changes = [] if is_done else _with_mapping(now, wanted)
    _refuse(table, changes)
    versions = asked_versions(wanted.properties)
    done: list[_Done] = []
    sure = 0
    try:
        with session_confs(spark, noted(user_metadata)):
            for change in _steps(changes, versions):
                before = newest_version(spark, table) if _needs_version(change) else None
                done.append(_Done(change, before))
                spark.sql(_statement(table, change, versions)).collect()
                sure = len(done)
        version = newest_version(spark, table) if done else None
        yield Alteration(version, tuple(map(str, changes)))
    except BaseException as error:
        with uninterrupted(spark):
            _undo(spark, table, wanted, done, sure, error)
        raise


def _needs_version(change: Change) -> bool:
    """Whether no ALTER TABLE takes it back: of a column's values, its NOT NULL or its length."""
    return change.kind in ("column", "not null", "type")


def _as_spelled(now: TableState, definition: TableDefinition) -> TableDefinition:
    """The definition with the table's spelling of properties and of checks."""
    known = (*now.configuration, MAPPING_MODE, ROW_TRACKING)
    properties = tuple((spelled(key, known), value) for key, value in definition.properties)
    checks = tuple((name, _check(now, name, text)) for name, text in definition.checks)
    return replace(definition, properties=properties, checks=checks)


def _check(now: TableState, name: str, text: str) -> str:
    """The condition as the table has it: ADD CONSTRAINT keeps a space between any two tokens."""
    found = now.configuration.get(spelled(f"{CHECKS}{name}", now.configuration), "")
    return found if tokens(found) == tokens(text) else text


def _steps(changes: Sequence[Change], versions: Mapping[str, str]) -> Iterator[Change]:
    """A statement each: a check that is there is dropped before it is added otherwise.

    Versions are one statement: those of readers say nothing without those of writers.
    """
    of_versions = [change for change in changes if change.name in versions]
    for change in changes:
        if change in of_versions[1:]:
            continue
        if change.kind == "check" and None not in (change.before, change.after):
            yield replace(change, after=None)
            yield replace(change, before=None)
        else:
            yield change


def _refuse(table: str, changes: Sequence[Change]) -> None:
    for change in changes:
        if change.kind == "not null" and change.after == "true":
            raise EngineError(
                f"{change.name} of {table} cannot become NOT NULL{NO_STATEMENT}, or give it a"
                f" check: {quoted(change.name)} IS NOT NULL"
            )
        if change.kind == "type" and not only_grows(str(change.before), str(change.after)):
            raise EngineError(f"{table} cannot have {change}{NO_STATEMENT}")


def _with_mapping(now: TableState, definition: TableDefinition) -> list[Change]:
    """What differs; column mapping, where a change needs it, is turned on first and stays so."""
    changes = [*changes_of(now, definition)]
    drops = any(change.kind == "column" for change in changes)
    if now.maps_columns or not (drops or definition.maps_columns):
        return changes
    asked = dict(definition.properties).get(MAPPING_MODE, "name")
    if asked.lower() not in ("name", "none"):
        raise SpecError(
            f"{MAPPING_MODE} cannot become {asked!r} in a table that is there; nothing was changed."
            " Set 'name', or leave it out: it is turned on where a column needs it."
        )
    others = [change for change in changes if change.name != MAPPING_MODE]
    return [Change("property", MAPPING_MODE, "name", "name"), *others]


def state_of(spark: SparkSession, table: str) -> TableState:
    """What the table is now."""
    detail = detail_of(spark, table)
    schema = spark.table(table).schema
    versions = {name: detail[name] for name in ("minReaderVersion", "minWriterVersion")}
    return TableState(
        metadata={
            "configuration": detail["properties"],
            "description": detail["description"],
            "schemaString": schema.json(),
            "partitionColumns": detail["partitionColumns"],
        },
        protocol=versions,
        features=frozenset(each.lower() for each in detail["tableFeatures"]),
        clustering=clustering_names(detail["clusteringColumns"] or ()),
    )


def _statement(table: str, change: Change, versions: Mapping[str, str] | None = None) -> str:
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
        case "type":
            return f"{alter} ALTER COLUMN {name} TYPE {change.after}"
        case "clustering":
            return f"{alter} CLUSTER BY {_columns(change)}"
        case "column":
            return f"{alter} DROP COLUMN {name}"
        case _:
            return f"{alter} {_of_configuration(change, versions or {})}"


def _of_configuration(change: Change, versions: Mapping[str, str]) -> str:
    """A property or a check, which is one, too; of the versions all."""
    key, name = text_literal(change.name), quoted(change.name)
    if change.kind == "check":
        if change.after is None:
            return f"DROP CONSTRAINT IF EXISTS {name}"
        return f"ADD CONSTRAINT {name} CHECK ({without_raw_texts(str(change.after))}\n)"
    if change.after is None:
        return f"UNSET TBLPROPERTIES IF EXISTS ({key})"
    given = versions if change.name in versions else {change.name: str(change.after)}
    return f"SET TBLPROPERTIES ({properties_text(given)})"


def _columns(change: Change) -> str:
    names = change.after
    return (
        f"({', '.join(map(clustering_text, names))})"
        if isinstance(names, tuple) and names
        else "NONE"
    )


def _undo(
    spark: SparkSession,
    table: str,
    wanted: TableDefinition,
    done: list[_Done],
    sure: int,
    error: BaseException,
) -> None:
    """Take back what is done, of which only so many changes are sure to be."""
    left: list[str] = []
    try:
        now = _not_as_wanted(spark, table, wanted) if done else {}
        if len(done) > sure and _is_as_before(now, done[-1].change):
            done.pop()
        _take_back(spark, table, done, _changed_by_others(now, done), left)
    except BaseException as failure:  # whatever fails here, the error that led here is raised
        left += [str(each.change) for each in done]
        left[-1:] = [f"{each}: {failure}" for each in left[-1:]]
    if left:
        add_note(error, f"{table} stays as it was changed ({'; '.join(left)})")


def _take_back(
    spark: SparkSession,
    table: str,
    done: list[_Done],
    others: set[tuple[str, str]],
    left: list[str],
) -> None:
    """One after the other, the last one first; also what was done before one that has to stay."""
    undone = 0
    while done:
        change = done[-1].change
        if _key(change) in others:
            left.append(f"{change}: another writer changed it since")
        else:
            refusal = _refusal(spark, table, done[-1], undone)
            undone += refusal is None
            left += [] if refusal is None else [f"{change}: {refusal}"]
        done.pop()


def _refusal(spark: SparkSession, table: str, done: _Done, undone: int) -> Exception | None:
    """Why it has to stay; raises where the server gives no answer, as then nothing goes on."""
    try:
        spark.sql(_undoing(spark, table, done, undone)).collect()
    except EngineError as refusal:
        return refusal
    except PySparkException as failure:
        if failure.getCondition() is None:  # not the server's own error
            raise
        return failure
    return None


def _not_as_wanted(
    spark: SparkSession, table: str, wanted: TableDefinition
) -> dict[tuple[str, str], tuple[object]]:
    """What the table has where it is otherwise than it is wanted, by its key."""
    now = state_of(spark, table)
    return {_key(each): (each.before,) for each in changes_of(now, _as_spelled(now, wanted))}


def _is_as_before(now: Mapping[tuple[str, str], tuple[object]], change: Change) -> bool:
    return now.get(_key(change), (change.after,)) == (change.before,)


def _changed_by_others(
    now: Mapping[tuple[str, str], tuple[object]], done: Sequence[_Done]
) -> set[tuple[str, str]]:
    """What is neither as the last change of it left it nor as it is wanted, by its key."""
    ours = {_key(each.change): (each.change.after,) for each in done}
    return {key for key, after in ours.items() if now.get(key, after) != after}


def _key(change: Change) -> tuple[str, str]:
    return change.kind, change.name.lower()


def _undoing(spark: SparkSession, table: str, done: _Done, undone: int) -> str:
    """What was dropped comes back by the version before alone.

    Each change that was undone since is two commits.
    """
    if done.before is None:
        return _statement(table, done.change.backwards())
    if newest_version(spark, table) != done.before + 1 + 2 * undone:
        raise EngineError("another commit came after it")
    return f"RESTORE TABLE {table} TO VERSION AS OF {done.before}"
