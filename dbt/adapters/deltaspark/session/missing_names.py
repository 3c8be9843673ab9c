"""What an error says of a name that is not there: names like it, a table's neighbours."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ..near_names import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyspark.sql import SparkSession

NOT_FOUND = re.compile(
    r"\[TABLE_OR_VIEW_NOT_FOUND\] The table or view (?P<name>(?:`(?:[^`]|``)+`\.?)+)"
    r" cannot be found\..*",
    re.DOTALL,
)
UNKNOWN_ROUTINE = re.compile(r"\[UNRESOLVED_ROUTINE\] Cannot resolve routine (?P<name>\S+) on .*")
PART = re.compile(r"`((?:[^`]|``)+)`")
NAMED_IN_IT = re.compile(r"(\w+)\s+as\s*\(", re.IGNORECASE)
"""Common table expressions of a statement, among other things."""


def with_near_names(session: SparkSession, message: str, sql: str = "") -> str:
    """What is not there, with what is called nearly so; of a table also its neighbours.

    `sql` is the statement: a name without a schema may be meant for one that it defines.
    """
    unknown = UNKNOWN_ROUTINE.search(message)
    if unknown is not None:
        return f"{message}\n{_near_functions(session, unknown['name'])}".rstrip()
    missing = NOT_FOUND.search(message)
    parts = PART.findall(missing["name"]) if missing else []
    if missing is None or len(parts) > 3:
        return message
    *folder, name = parts
    there = _of_a_schema(session, folder, name) if folder else _of_no_schema(session, name, sql)
    told = f"[TABLE_OR_VIEW_NOT_FOUND] The table or view {missing['name']} cannot be found; {there}"
    return message[: missing.start()] + told


def _of_a_schema(session: SparkSession, folder: Sequence[str], name: str) -> str:
    schema = ".".join(f"`{part}`" for part in folder)
    try:
        names = _tables(session, f" IN {schema}")
    except (PySparkException, Py4JError):
        return f"there is no schema {schema}{_or_near(folder[-1], _schemas(session, folder[:-1]))}"
    return _did_you_mean(name, names) or _neighbours(schema, names)


def _of_no_schema(session: SparkSession, name: str, sql: str) -> str:
    """Of the tables where the session looks for such a name, and what the statement defines."""
    try:
        names = _tables(session)
    except (PySparkException, Py4JError):
        names = []
    return _did_you_mean(name, [*NAMED_IN_IT.findall(sql), *names]) or (
        "the statement defines none of this name in WITH, and the model's schema has none"
        f" (a model's is written {{{{ ref('{name}') }}}})"
    )


def _tables(session: SparkSession, of: str = "") -> list[str]:
    """Without the session's temporary views, some of which are the adapter's own."""
    found = session.sql(f"SHOW TABLES{of}").collect()
    return [row.tableName for row in found if not row.isTemporary]


def _did_you_mean(name: str, names: Sequence[str]) -> str:
    near = get_close_matches(name.lower(), names, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(near)}?" if near else ""


def _or_near(name: str, names: Sequence[str]) -> str:
    near = _did_you_mean(name, names)
    return f"; {near}" if near else ""


def _schemas(session: SparkSession, catalog: Sequence[str]) -> list[str]:
    place = f" IN `{catalog[0]}`" if catalog else ""
    try:
        return [row[0] for row in session.sql(f"SHOW SCHEMAS{place}").collect()]
    except (PySparkException, Py4JError):
        return []


def _near_functions(session: SparkSession, name: str) -> str:
    last = (PART.findall(name) or [name])[-1]
    try:
        names = [row[0].rpartition(".")[2] for row in session.sql("SHOW FUNCTIONS").collect()]
    except (PySparkException, Py4JError):
        return ""
    return _did_you_mean(last, names)


def _neighbours(schema: str, names: list[str]) -> str:
    if not names:
        return f"the schema {schema} is empty"
    return f"the schema {schema} has {listed(names)}"
