"""The same over Spark Connect: SQL statements that the server runs, no JVM on this side."""

from .change import change
from .definition import altered
from .merge import merge
from .observed import last_commit, observed
from .write import write

__all__ = [
    "altered",
    "change",
    "last_commit",
    "merge",
    "observed",
    "write",
]
