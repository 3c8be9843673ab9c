"""dbt's connection manager, over the process's SparkSession."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, TypeVar

from dbt.adapters.contracts.connection import (
    AdapterRequiredConfig,
    AdapterResponse,
    Connection,
    ConnectionState,
)
from dbt.adapters.events.logging import AdapterLogger
from dbt.adapters.events.types import ConnectionUsed, SQLQuery, SQLQueryStatus
from dbt.adapters.exceptions.connection import FailedToConnectError
from dbt.adapters.sql.connections import SQLConnectionManager
from dbt.flags import get_flags
from dbt_common.clients.agate_helper import empty_table, table_from_data_flat
from dbt_common.events.contextvars import get_node_info
from dbt_common.events.functions import fire_event
from dbt_common.exceptions import DbtBaseException, DbtDatabaseError, DbtRuntimeError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from .engine.errors import taken_notes
from .exact_tables import exact
from .log_bridge import BRIDGE
from .profile_warnings import ProfileWarnings
from .session import (
    Bindings,
    Cursor,
    EnvironmentProblem,
    RunStart,
    SessionConnection,
    SessionError,
    cause,
    is_jvm_error,
    masked,
    message_of,
    open_session,
    passing_folder,
    texts_of,
    to_plain,
    with_near_names,
)

if TYPE_CHECKING:
    from multiprocessing.context import SpawnContext

    import agate
    from pyspark.sql import SparkSession

    from .credentials import DeltaSparkCredentials

logger = AdapterLogger("deltaspark")
WIDTH = 120
"""Letters of a statement in an error."""
T = TypeVar("T")


def _project(profile: AdapterRequiredConfig) -> Path:
    """The project's folder; `dbt debug` does not tell it, and outside a project leaves none."""
    if hasattr(profile, "project_root"):
        return Path(profile.project_root)
    flags = get_flags()  # type: ignore[no-untyped-call]
    looked_at = Path(getattr(flags, "PROJECT_DIR", None) or ".")
    if (looked_at / "dbt_project.yml").exists():
        return looked_at
    return passing_folder()


class DeltaSparkConnectionManager(SQLConnectionManager):
    """One session for each open connection; every statement tagged, timed whole, translated."""

    TYPE = "deltaspark"

    def __init__(self, profile: AdapterRequiredConfig, mp_context: SpawnContext) -> None:
        super().__init__(profile, mp_context)
        self._project = root = _project(profile)
        self._settings = profile.credentials.session_settings(root)  # type: ignore[attr-defined]
        self._secrets = self._settings.secrets
        self._warnings = ProfileWarnings(self._settings)
        self._has_opened = False
        self._run_start = RunStart()
        self._cancelled_by: Hashable | None = None

    # dbt calls it on the instance, and only the instance knows the project's folder.
    def open(self, connection: Connection) -> Connection:  # type: ignore[override]
        if connection.state == ConnectionState.OPEN:
            return connection
        BRIDGE.begin(self, self.masked)
        self._warnings.tell_of_temporary(self._project, connection.credentials)
        try:
            handle = self._run_start.connection() or self._opened(connection.credentials)
        except (SessionError, EnvironmentProblem, PySparkException, Py4JError, OSError) as error:
            connection.state = ConnectionState.FAIL
            connection.handle = None  # else dbt, which closes it, would have it opened once more
            raise FailedToConnectError(self.masked(message_of(error))) from self._cause(error)
        connection.handle = handle
        connection.state = ConnectionState.OPEN
        if self._cancelled_by not in (None, self.get_thread_identifier()):
            self.cancel(connection)  # it was being opened when `cancel_open` looked
        return connection

    def _opened(self, credentials: DeltaSparkCredentials) -> SessionConnection:
        session = open_session(
            self._settings, logger.info, logger.warning, replaces_lost=not self._has_opened
        )
        self._has_opened = True
        self._warnings.tell(session, credentials)
        return SessionConnection(session, credentials.database, credentials.schema)

    def masked(self, text: str) -> str:
        """The text without what is secret in it, the profile's secrets among it."""
        return masked(text, self._secrets)

    def _cause(self, error: BaseException) -> BaseException | None:
        return cause(error, self._secrets)

    def cancel(self, connection: Connection) -> None:
        connection.handle.cancel()

    def cancel_open(self) -> list[str]:
        """Cancels what every other thread runs or is about to run."""
        self._cancelled_by = self.get_thread_identifier()
        mine = self.get_if_exists()
        with self.lock:
            others = [each for each in self.thread_connections.values() if each is not mine]
        for connection in others:
            if connection.state == ConnectionState.OPEN:
                self.cancel(connection)
        return [each.name for each in others if each.name is not None]

    def cleanup_all(self) -> None:
        super().cleanup_all()
        self._run_start.end()
        BRIDGE.end(self)
        self._cancelled_by = None

    @contextmanager
    def exception_handler(self, sql: str) -> Iterator[None]:
        try:
            yield
        except DbtRuntimeError as error:
            error.msg = self.masked("\n".join((error.msg, *taken_notes(error))))
            raise error from (error.__cause__ and self._cause(error.__cause__))
        except DbtBaseException:
            raise
        except Exception as error:
            logger.debug(self.masked(f"Error in:\n{sql}\n{type(error).__name__}"))
            kind = DbtDatabaseError if is_jvm_error(error) else DbtRuntimeError
            told = self._with_near_names(message_of(error), sql)
            raise kind(self.masked(told)) from self._cause(error)

    def _with_near_names(self, message: str, sql: str) -> str:
        connection = self.get_if_exists()
        if connection is None or connection.state != ConnectionState.OPEN:
            return message
        return with_near_names(connection.handle.session, message, sql)

    @contextmanager
    def working(self, description: str) -> Iterator[SparkSession]:
        """The thread's session for work beyond SQL text: tagged, cancelled and translated alike."""
        connection = self.get_thread_connection()
        with self.exception_handler(description):
            connection.handle.group = connection.name
            with connection.handle.working(description) as session:
                yield session

    def add_query(
        self,
        sql: str,
        auto_begin: bool = True,
        bindings: Bindings | None = None,
        abridge_sql_log: bool = False,
        retryable_exceptions: tuple[type[Exception], ...] = (),
        retry_limit: int = 1,
    ) -> tuple[Connection, Cursor]:
        """Runs a command, or analyzes a query that the caller will fetch from the cursor."""
        abridged = f"{sql[:512]}..." if abridge_sql_log else sql
        connection, cursor, _ = self._run(sql, lambda _: None, bindings, abridged)
        return connection, cursor

    def execute(
        self,
        sql: str,
        auto_begin: bool = False,
        fetch: bool = False,
        limit: int | None = None,
    ) -> tuple[AdapterResponse, agate.Table]:
        """Runs the statement to its end, fetched or not; of several the last one answers."""
        *first, last = texts_of(sql)
        for number, text in enumerate(first, 1):
            with self._numbered(text, number, len(first) + 1):
                self._run(self._add_query_comment(text), lambda cursor: cursor.drain())
        with self._numbered(last, len(first) + 1, len(first) + 1):
            commented = self._add_query_comment(last)
            _, cursor, table = self._run(commented, lambda each: self._finish(each, fetch, limit))
        return self.get_response(cursor), table

    @contextmanager
    def _numbered(self, text: str, number: int, count: int) -> Iterator[None]:
        """An error says which statement of several it is of, and that those before it were run."""
        try:
            yield
        except DbtRuntimeError as error:
            if count > 1:
                before = "; those before it were run" if number > 1 else "; none was run"
                sent = shorten(self.masked(text), WIDTH, placeholder=" …")
                error.msg += f"\nThis is statement {number} of {count} in one text{before}: {sent}"
            raise

    def _finish(self, cursor: Cursor, fetch: bool, limit: int | None) -> agate.Table:
        if fetch:
            return self.get_result_from_cursor(cursor, limit)
        cursor.drain()
        return empty_table()  # type: ignore[no-untyped-call]

    def _run(
        self,
        sql: str,
        finish: Callable[[Cursor], T],
        bindings: Bindings | None = None,
        abridged: str | None = None,
    ) -> tuple[Connection, Cursor, T]:
        connection = self.get_thread_connection()
        name, node = str(connection.name), get_node_info()
        fire_event(ConnectionUsed(conn_type=self.TYPE, conn_name=name, node_info=node))
        with self.exception_handler(sql):
            logged = self.masked(abridged or sql)
            fire_event(SQLQuery(conn_name=name, sql=logged, node_info=node))
            started = time.perf_counter()
            connection.handle.group = name
            self._run_start.note(connection.handle, node, sql)
            cursor = connection.handle.cursor()
            cursor.execute(sql, bindings)
            result = finish(cursor)
            elapsed = time.perf_counter() - started
            status = str(self.get_response(cursor))
            fire_event(SQLQueryStatus(status=status, elapsed=elapsed, node_info=node))
        return connection, cursor, result

    @classmethod
    def get_result_from_cursor(cls, cursor: Cursor, limit: int | None) -> agate.Table:
        if limit:
            cursor.limit(limit)
        cursor.make_fetchable()
        columns = cursor.description or []
        convert = [to_plain(type_name) for _, type_name, *_ in columns]
        rows = [[f(v) for f, v in zip(convert, row, strict=True)] for row in cursor.fetchall()]
        names = [column[0] for column in columns]
        return exact(table_from_data_flat(cls.process_results(names, rows), names))

    @classmethod
    def get_response(cls, cursor: Cursor) -> AdapterResponse:
        return AdapterResponse("OK", rows_affected=cursor.affected_rows)

    @classmethod
    def data_type_code_to_name(cls, type_code: int | str) -> str:
        """The cursor gives Spark's names of types already."""
        return str(type_code)

    def begin(self) -> None:
        """Spark has no transactions of several statements."""

    def commit(self) -> None:
        """Every statement commits by itself."""

    def clear_transaction(self) -> None:
        """There is none to clear."""
