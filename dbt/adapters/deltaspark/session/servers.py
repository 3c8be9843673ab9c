"""A Spark Connect server's version beside this process's: asked for once, and told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyspark

from .environment import TESTED
from .errors import SessionError
from .secrets import masked

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import SparkSession

_known: set[str] = set()
"""The URLs of servers that were asked."""


def check_server(session: SparkSession, url: str, warn: Callable[[str], None]) -> None:
    """Raises SessionError where its Spark is of another major version; warns of a minor one."""
    if url in _known:
        return
    theirs, ours = session.version, pyspark.__version__
    both = f"The server of `remote: {masked(url)}` is Spark {theirs}, and this is PySpark {ours}"
    line, _ = TESTED["pyspark"]
    if theirs.partition(".")[0] != line.partition(".")[0]:
        raise SessionError(f"{both}: the two do not work together. Name a server of Spark {line}x.")
    if not theirs.startswith(line):
        warn(f"{both}: the adapter was tested with servers of Spark {line}x alone")
    _known.add(url)
