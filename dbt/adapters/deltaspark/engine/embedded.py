"""The engine's own way, in the process that has the JVM of Spark."""

from .analysis import is_select_item, may_read
from .change import change
from .definition import altered
from .merge import merge
from .observed import last_commit, observed
from .write import write_frame as write

__all__ = [
    "altered",
    "change",
    "is_select_item",
    "last_commit",
    "may_read",
    "merge",
    "observed",
    "write",
]
