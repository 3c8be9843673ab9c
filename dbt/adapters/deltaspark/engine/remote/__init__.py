"""The same over Spark Connect: SQL statements that the server runs, no JVM on this side."""

from .change import change
from .commits import uninterrupted
from .definition import altered
from .merge import merge, refuse_other_than_one_expression
from .observed import last_commit, observed
from .write import write

__all__ = [
    "altered",
    "change",
    "last_commit",
    "merge",
    "observed",
    "refuse_other_than_one_expression",
    "uninterrupted",
    "write",
]
