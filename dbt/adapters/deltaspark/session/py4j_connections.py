"""py4j's connections to the JVM: a command is sent once, and an interrupt ends its own alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from py4j import protocol
from py4j.clientserver import ClientServerConnection, JavaClient

if TYPE_CHECKING:
    from py4j.protocol import Py4JNetworkError

RULE = JavaClient._should_retry
"""py4j's own."""


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
