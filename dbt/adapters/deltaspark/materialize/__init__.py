"""How each kind of node becomes a table, a view or rows."""

from . import (
    clones,
    columns,
    comments,
    ddl_responses,
    hooks,
    own_strategies,
    seeds,
    snapshots,
    tables,
    unit_tests,
)
from .response import VERBS, DeltaSparkResponse
from .sql_statements import columns_of, headed, statements

__all__ = [
    "VERBS",
    "DeltaSparkResponse",
    "clones",
    "columns",
    "columns_of",
    "comments",
    "ddl_responses",
    "headed",
    "hooks",
    "own_strategies",
    "seeds",
    "snapshots",
    "statements",
    "tables",
    "unit_tests",
]
