"""The engine's own way, in the process that has the JVM of Spark."""

from .change import change
from .definition import altered
from .merge import merge
from .observed import last_commit, observed
from .write import write_frame as write

__all__ = [
    "altered",
    "change",
    "last_commit",
    "merge",
    "observed",
    "write",
]
