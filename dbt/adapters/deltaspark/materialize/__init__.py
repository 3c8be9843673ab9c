"""How each kind of node becomes a table, a view or rows."""

from . import columns, comments, ddl_responses, seeds, snapshots, tables, unit_tests
from .response import DeltaSparkResponse

__all__ = [
    "DeltaSparkResponse",
    "columns",
    "comments",
    "ddl_responses",
    "seeds",
    "snapshots",
    "tables",
    "unit_tests",
]
