"""Clauses of CREATE and ALTER statements, as SQL text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..engine.spec import quoted, text_literal

if TYPE_CHECKING:
    from ..settings import TableConfig


def table_clauses(table: TableConfig, names: Sequence[str]) -> str:
    """What stands between CREATE OR REPLACE TABLE and AS; the names are of columns and fields."""
    properties = table.creation_properties(names)
    properties.pop("location", None)
    clauses = [
        f"using {table.file_format}",
        f"partitioned by ({_names(table.partition_by)})" if table.partition_by else "",
        f"cluster by ({_names(table.cluster_by)})" if table.cluster_by else "",
        f"location {text_literal(table.location)}" if table.location else "",
        _comment(table.comment),
        f"tblproperties ({_pairs(properties)})" if properties else "",
    ]
    return "\n".join(filter(None, clauses))


def view_clauses(table: TableConfig, columns: Sequence[str]) -> str:
    """What stands between CREATE OR REPLACE VIEW and AS; the columns are all of the view's."""
    comments = {name.lower(): comment for name, comment in table.comments_of(columns)}
    described = ", ".join(
        f"{quoted(name)} {_comment(comments.get(name.lower()))}".rstrip() for name in columns
    )
    clauses = [
        f"({described})" if columns else "",
        _comment(table.comment),
        f"tblproperties ({_pairs(dict(table.properties))})" if table.properties else "",
    ]
    return " ".join(filter(None, clauses))


def comment_statements(
    name: str, table: TableConfig, comment: str | None, columns: Mapping[str, str]
) -> list[str]:
    """The fewest statements that bring the comments to what they should be; each is a commit."""
    wanted = {known.lower(): text for known, text in table.comments_of([*columns])}
    changed = [
        f"{quoted(column)} COMMENT {text_literal(wanted[column.lower()])}"
        for column, current in columns.items()
        if wanted.get(column.lower(), current) != current
    ]
    statements = []
    if table.comment is not None and table.comment != comment:
        statements.append(f"COMMENT ON TABLE {name} IS {text_literal(table.comment)}")
    if changed:
        statements.append(f"ALTER TABLE {name} ALTER COLUMN {', '.join(changed)}")
    return statements


def describing_statements(name: str, table: TableConfig) -> list[str]:
    """Properties and comment of a new table of another format, whose writer takes neither."""
    properties = dict(table.properties)
    pairs = [f"ALTER TABLE {name} SET TBLPROPERTIES ({_pairs(properties)})"] if properties else []
    return [*pairs, *comment_statements(name, table, None, {})]


def _comment(text: str | None) -> str:
    return f"comment {text_literal(text)}" if text else ""


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(quoted, names))


def _pairs(properties: Mapping[str, str]) -> str:
    return ", ".join(f"{text_literal(k)} = {text_literal(v)}" for k, v in properties.items())
