"""Spark's messages as a person reads them: no plans, no statements of the adapter's own."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PLAN = re.compile(r"(SQLSTATE: \w+(?:; line \d+ pos \d+)?);\n.*", re.DOTALL)
"""An AnalysisException ends with the plan that it was found in."""
OWN_STATEMENT = re.compile(
    r"== SQL \(line \d+, position \d+\) ==\n"
    r"(?:MERGE INTO .*USING \(SELECT 1\) AS .*|(?:(?!== SQL).)*__dbt_deltaspark_.*)",
    re.DOTALL,
)
"""The engine's statements have these in place of their source: nobody wrote them."""
NOT_FOUND = re.compile(
    r"\[TABLE_OR_VIEW_NOT_FOUND\] The table or view (?P<name>\S+) cannot be found\..*",
    re.DOTALL,
)
CHECK_OF_NULL = re.compile(r"CHECK constraint .* violated by row with values:(\n - .*)*: null")
OF_NULL = "A null does not satisfy a CHECK: where one is allowed, say so (… OR column IS NULL)."
PART = re.compile(r"`((?:[^`]|``)+)`")
SHOWN = 10
"""Names of a schema's tables in one error."""


def readable(message: str) -> str:
    """The message without what nobody can use, and with what it leaves out."""
    shorter = OWN_STATEMENT.sub("", PLAN.sub(r"\1", message)).rstrip()
    return f"{shorter}\n{OF_NULL}" if CHECK_OF_NULL.search(shorter) else shorter


def with_near_names(session: SparkSession, message: str) -> str:
    """A table that is not there, with those that are called nearly so, or with its neighbours."""
    missing = NOT_FOUND.search(message)
    parts = PART.findall(missing["name"]) if missing else []
    if missing is None or len(parts) not in (2, 3):
        return message
    *folder, name = parts
    schema = ".".join(f"`{part}`" for part in folder)
    try:
        names = [row.tableName for row in session.sql(f"SHOW TABLES IN {schema}").collect()]
    except (PySparkException, Py4JError):
        there = f"there is no schema {schema}"
    else:
        near = get_close_matches(name.lower(), names, n=3, cutoff=0.6)
        there = f"did you mean {' or '.join(near)}?" if near else _neighbours(schema, names)
    told = f"[TABLE_OR_VIEW_NOT_FOUND] The table or view {missing['name']} cannot be found; {there}"
    return message[: missing.start()] + told


def _neighbours(schema: str, names: list[str]) -> str:
    if not names:
        return f"the schema {schema} is empty"
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"the schema {schema} has {', '.join(names[:SHOWN])}{more}"
