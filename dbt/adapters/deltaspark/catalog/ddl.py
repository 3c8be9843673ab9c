"""Clauses of CREATE and ALTER statements, as SQL text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ..engine.spec import quoted, text_literal
from ..engine.table_clauses import properties_text, table_clauses

if TYPE_CHECKING:
    from ..settings import TableConfig


def clauses_of_table(table: TableConfig, names: Sequence[str]) -> str:
    """What stands between CREATE OR REPLACE TABLE and AS; the names are of columns and fields."""
    clauses = table_clauses(
        partition_by=table.partition_by,
        cluster_by=table.cluster_by,
        comment=table.comment or None,
        properties=table.creation_properties(names),
    )
    return f"using {table.file_format}\n{clauses}".rstrip()


def clauses_of_view(table: TableConfig, columns: Sequence[str]) -> str:
    """What stands between CREATE OR REPLACE VIEW and AS; the columns are all of the view's."""
    comments = {name.lower(): comment for name, comment in table.comments_of(columns)}
    described = ", ".join(
        f"{quoted(name)} {_comment(comments.get(name.lower()))}".rstrip() for name in columns
    )
    clauses = [
        f"({described})" if comments else "",
        _comment(table.comment),
        f"tblproperties ({properties_text(dict(table.properties))})" if table.properties else "",
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
    pairs = (
        [f"ALTER TABLE {name} SET TBLPROPERTIES ({properties_text(properties)})"]
        if properties
        else []
    )
    return [*pairs, *comment_statements(name, table, None, {})]


def _comment(text: str | None) -> str:
    return f"comment {text_literal(text)}" if text else ""
