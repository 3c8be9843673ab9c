"""How each kind of node becomes a table, a view or rows."""

from . import (
    clones,
    columns,
    comments,
    ddl_responses,
    headers,
    hooks,
    own_strategies,
    seeds,
    snapshots,
    tables,
    unit_tests,
)
from .response import VERBS, DeltaSparkResponse

__all__ = [
    "VERBS",
    "DeltaSparkResponse",
    "clones",
    "columns",
    "comments",
    "ddl_responses",
    "headers",
    "hooks",
    "own_strategies",
    "seeds",
    "snapshots",
    "tables",
    "unit_tests",
]
