"""The same over Spark Connect: SQL statements that the server runs, no JVM on this side."""

from .analysis import is_select_item, may_read
from .change import change
from .commits import uninterrupted
from .definition import altered
from .merge import merge
from .observed import last_commit, observed
from .write import write

__all__ = [
    "altered",
    "change",
    "is_select_item",
    "last_commit",
    "may_read",
    "merge",
    "observed",
    "uninterrupted",
    "write",
]
