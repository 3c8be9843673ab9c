"""The same over Spark Connect: SQL statements that the server runs, no JVM on this side."""

from .analysis import expression_kind, may_read
from .change import change
from .commits import uninterrupted
from .definition import altered
from .merge import merge
from .observed import last_commit, observed
from .write import write

__all__ = [
    "altered",
    "change",
    "expression_kind",
    "last_commit",
    "may_read",
    "merge",
    "observed",
    "uninterrupted",
    "write",
]
