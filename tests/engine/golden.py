"""A golden case: a table before, a change to it, and the table after, all of it literal."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

PROVEN_BY = "4.4.0"
"""The version of Delta whose own commands left what all cases say, in all forms (`make golden`)."""
OURS = frozenset({"no_op", "insert_only", "deletion_vectors", "classic"})
BY_TABLE = f"default.golden_appends_{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
"""Delta casts what is written to a table by its name; processes may share a server's catalog."""
CHANGE_FEED = (("delta.enableChangeDataFeed", "true"),)
ROW_TRACKING = (("delta.enableRowTracking", "true"),)


@dataclass(frozen=True, slots=True)
class Table:
    """Columns as DDL, rows as the inside of VALUES; each text of rows is written as one file."""

    columns: str
    files: tuple[str, ...] = ()


def table(columns: str, *files: str) -> Table:
    return Table(columns, files)


@dataclass(frozen=True, slots=True)
class DeleteRows:
    """A DELETE; without a condition, of every row."""

    condition: str | None = None


@dataclass(frozen=True, slots=True)
class UpdateRows:
    """An UPDATE: pairs of column and SQL expression."""

    assignments: tuple[tuple[str, str], ...]
    condition: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRows:
    """A write of the case's source, with what `engine.write` calls these."""

    mode: str = "append"
    replace_where: str | None = None
    dynamic_partitions: bool = False
    replace_using: tuple[str, ...] = ()
    replace_on: str | None = None
    target_alias: str | None = None
    source_alias: str | None = None
    merge_schema: bool | None = None
    partition_by: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    idempotency_key: str | None = None


Change = DeleteRows | UpdateRows | WriteRows


def update(condition: str | None = None, /, **assignments: str) -> UpdateRows:
    return UpdateRows(tuple(assignments.items()), condition)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenCase:
    """What one MERGE, DELETE, UPDATE or write must do.

    A MERGE is its text, which names the target as {target} and the source as {source}; `rows` and
    `change_rows` are written as VALUES too, the latter with _change_type as the last column.
    A case that leaves `deletion_vectors` or `partition_by` open holds for every choice.
    `native_leaves` are the rows that Delta's own command leaves where it is wrong.
    """

    title: str
    target: Table
    statement: str | Change
    rows: str = ""
    source: Table | None = None
    source_is_delta: bool = False
    schema: str | None = None
    change_rows: str | None = None
    error: str | None = None
    commits: bool = True
    properties: tuple[tuple[str, str], ...] = ()
    partition_by: tuple[str, ...] | None = None
    deletion_vectors: bool | None = None
    before: tuple[str, ...] = ()
    conf: tuple[tuple[str, str], ...] = ()
    name: str | None = None
    native_fails_with: str | None = None
    native_leaves: str | None = None


@dataclass(frozen=True, slots=True)
class Variant:
    """One physical form of a case's target."""

    deletion_vectors: bool
    partition_by: tuple[str, ...] = ()

    def __str__(self) -> str:
        vectors = "vectors" if self.deletion_vectors else "no_vectors"
        return f"{vectors}-by_{'_'.join(self.partition_by)}" if self.partition_by else vectors


def variants(case: GoldenCase) -> Iterator[Variant]:
    vectors = (True, False) if case.deletion_vectors is None else (case.deletion_vectors,)
    for partition_by in _partitionings(case):
        yield from (Variant(choice, partition_by) for choice in vectors)


def _partitionings(case: GoldenCase) -> tuple[tuple[str, ...], ...]:
    if case.partition_by is not None:
        return (case.partition_by,)
    column = _last_column_to_partition_by(case.target.columns)
    return ((),) if column is None else ((), (column,))


# Other types either cannot be partition columns or do not come back as they were written.
_PARTITIONABLE = re.compile(r"^(`[^`]+`|\w+)\s+(?:TINYINT|SMALLINT|INT|BIGINT|STRING|DATE)\b", re.I)


def _last_column_to_partition_by(columns: str) -> str | None:
    names = [_PARTITIONABLE.match(column) for column in top_level(columns)]
    if len(names) < 2 or names[-1] is None:
        return None
    return names[-1].group(1).strip("`")


def top_level(columns: str) -> list[str]:
    """The DDL's columns; commas inside brackets or backticks do not part them."""
    parts, depth, quoted = [""], 0, False
    for character in columns:
        quoted ^= character == "`"
        depth += (character in "(<") - (character in ")>") if not quoted else 0
        if character == "," and depth == 0 and not quoted:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]
