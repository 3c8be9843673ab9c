"""py4j's connections to the JVM: a command is sent once, and an interrupt ends its own alone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from py4j import protocol
from py4j.clientserver import ClientServer, ClientServerConnection, JavaClient
from pyspark import SparkContext

from .errors import SessionError

if TYPE_CHECKING:
    from py4j.protocol import Py4JNetworkError

PINNED = "PYSPARK_PIN_THREAD"
"""What PySpark, by itself, has as true: to each Python thread one of the JVM's."""
RULE = JavaClient._should_retry
"""py4j's own."""


def check_pinned() -> None:
    """Raises SessionError where Python's threads share those of the JVM.

    A JVM thread has the transaction, the tags and the job group of what it does: models that are
    built at the same time would have each other's.
    """
    gateway, value = SparkContext._gateway, os.environ.get(PINNED, "true")
    pinned = value.lower() == "true" if gateway is None else isinstance(gateway, ClientServer)
    if not pinned:
        found = (
            f"The environment has {PINNED}={value}"
            if gateway is None
            else f"The Spark of this process was started with {PINNED}=false"
        )
        raise SessionError(
            f"{found}: threads of Python then share those of the JVM, and models that are built at"
            " the same time would mix their transactions and jobs. It has to be true, which it is"
            " by itself.\nWay out: unset it, before Spark starts."
        )


def mend_connections() -> None:
    """From now on, for all of the process's connections.

    On Ctrl-C py4j (0.10.9.9, `GatewayClient.send_command`) asks the JVM to close the connection,
    and the JVM closes all that came by its port: those of other threads and of other processes.
    Who waits there for an answer sends the command again (`GatewayClient._should_retry`), while the
    JVM goes on with it: rows would be added twice.
    """
    ClientServerConnection.shutdown_socket = _close_own
    JavaClient._should_retry = _is_unsent


def _close_own(connection: ClientServerConnection, remote_port: int, local_port: int) -> None:
    """On Ctrl-C py4j takes every connection that waits for a command out of use, and this one."""
    if connection.java_client.get_thread_connection() is connection:
        connection.close()
        connection.is_connected = False
    else:
        connection.java_client.deque.appendleft(connection)


def _is_unsent(
    client: JavaClient,
    retry: bool,
    connection: ClientServerConnection | None,
    error: Py4JNetworkError | None = None,
) -> bool:
    """Whether the command may be sent again: as py4j has it, but never after it was sent."""
    if error is not None and error.when == protocol.EMPTY_RESPONSE:
        raise ConnectionResetError(
            "The JVM closed the connection before it answered: it has ended, or is about to."
        ) from error
    return bool(RULE(client, retry, connection, error))
