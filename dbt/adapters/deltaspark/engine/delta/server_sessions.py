"""Sessions of a Spark Connect server: closed when their work is done, not by the collector.

PySpark's session closes itself when it is garbage, and with itself the pool of threads that all
sessions of the process share. Where the collector runs inside of that pool, or after the
interpreter's threads have ended, that waits for itself without end.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pyspark.errors import PySparkException
from pyspark.sql.utils import is_remote

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def kept_open(session: SparkSession) -> SparkSession:
    """The same session, which stays open until `released`, and gives up a server that is gone."""
    from .patience import Patience  # needs what is installed for Spark Connect alone

    client = _client(session)
    client.close = _nothing
    client.set_retry_policies([Patience()])
    return session


def made_active(session: SparkSession) -> None:
    """Frames that PySpark makes by itself in this thread are of this session.

    It keeps the first one that a thread had, and has no public way to change it.
    """
    kind: Any = type(session)
    kind._active_session.session = session


def released(session: SparkSession) -> None:
    """The server lets go what the session holds; nothing where Spark is in the process.

    Never raises: a server that is gone holds nothing.
    """
    if not is_remote():
        return
    client = _client(session)
    with suppress(PySparkException, OSError):
        client.release_session()
    client._channel.close()
    client._closed = True


def _client(session: Any) -> Any:
    return session.client  # PySpark's types know the JVM's session alone


def _nothing() -> None:
    """What a session that is collected does."""
