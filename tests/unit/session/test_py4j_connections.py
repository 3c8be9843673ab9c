"""A command reaches the JVM once, and Ctrl-C ends the connection that waits for its answer."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from py4j.clientserver import ClientServerConnection, JavaClient, JavaParameters, PythonParameters
from py4j.java_gateway import GatewayProperty, JavaGateway, PythonProxyPool
from pyspark import SparkContext

from dbt.adapters.deltaspark.session import SessionError, SessionSettings, open_session
from dbt.adapters.deltaspark.session.py4j_connections import check_pinned, mend_connections

ANSWER = b"!yv\n"


class Jvm:
    """Takes commands, one line each, and answers as it is told to."""

    def __init__(self) -> None:
        self.commands: list[str] = []
        self.answer: Callable[[str], bytes] = lambda _: ANSWER
        self.server = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.server.accept()
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile() as lines:
            for line in lines:
                self.commands.append(line.strip())
                answer = self.answer(line.strip())
                if not answer:
                    return
                connection.sendall(answer)


@pytest.fixture
def jvm() -> Iterator[Jvm]:
    jvm = Jvm()
    with jvm.server:
        yield jvm


@pytest.fixture
def client(jvm: Jvm, monkeypatch: pytest.MonkeyPatch) -> JavaClient:
    for owner, name in ((ClientServerConnection, "shutdown_socket"), (JavaClient, "_should_retry")):
        monkeypatch.setattr(owner, name, getattr(owner, name))
    mend_connections()
    port = jvm.server.getsockname()[1]
    properties = GatewayProperty(auto_field=False, pool=PythonProxyPool())
    return JavaClient(JavaParameters(port=port), PythonParameters(), properties)


def test_a_command_whose_answer_is_lost_is_not_sent_again(jvm: Jvm, client: JavaClient) -> None:
    """The JVM goes on with a statement whose connection is closed."""
    jvm.answer = lambda command: b"" if command == "insert" else ANSWER
    with pytest.raises(ConnectionResetError, match="before it answered"):
        client.send_command("insert\n")
    assert client.send_command("count\n") == "yv"
    assert jvm.commands == ["insert", "count"]


def test_an_interrupt_ends_its_own_connection_alone(
    jvm: Jvm, client: JavaClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, is_over = threading.Event(), threading.Event()

    def of_another_thread() -> None:
        client.send_command("one\n")
        kept.append(client.get_thread_connection())
        other.set()
        is_over.wait(60)
        client.send_command("two\n")
        kept.append(client.get_thread_connection())

    kept: list[ClientServerConnection] = []
    thread = threading.Thread(target=of_another_thread)
    thread.start()
    other.wait(60)
    client.send_command("endless\n")
    interrupted = client.get_thread_connection()
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(interrupted, "send_command", _interrupt)
        client.send_command("endless\n")
    is_over.set()
    thread.join(60)
    assert interrupted.socket is None
    assert kept[0] is kept[1]
    assert client.send_command("three\n") == "yv"
    assert jvm.commands == ["one", "endless", "two", "three"]


def _interrupt(command: str) -> str:
    raise KeyboardInterrupt


@pytest.mark.parametrize("value", ["false", "False", "0", ""])
def test_threads_that_would_share_those_of_the_jvm_are_refused_before_spark_starts(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYSPARK_PIN_THREAD", value)
    monkeypatch.setattr(SparkContext, "_gateway", None)
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    with pytest.raises(SessionError, match=f"PYSPARK_PIN_THREAD={value}:.*\\n.*: unset it"):
        open_session(SessionSettings(master="local[1]"))


def test_of_a_spark_that_runs_its_own_connections_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SparkContext, "_gateway", JavaGateway(eager_load=False))
    with pytest.raises(SessionError, match="was started with PYSPARK_PIN_THREAD=false"):
        check_pinned()


@pytest.mark.parametrize("value", ["true", "True", None])
def test_pinned_threads_are_what_pyspark_has_by_itself(
    value: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SparkContext, "_gateway", None)
    monkeypatch.delenv("PYSPARK_PIN_THREAD", raising=False)
    if value is not None:
        monkeypatch.setenv("PYSPARK_PIN_THREAD", value)
    check_pinned()
