"""A DB-API connection and cursor over one SparkSession, with the job group that cancel needs."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

from py4j.protocol import Py4JError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql.utils import is_remote

from ..engine.delta import made_active, reading_as_listed, released
from ..engine.remote import uninterrupted as without_tags
from ..engine.spec import SESSION_CATALOG, quoted
from .fetched import fetchable
from .handshake import user
from .information_schema import served
from .job_groups import give_back, group_of, without_group
from .jvm_start import in_time
from .secrets import masked
from .view_texts import is_too_long, made_room
from .views import replaces_a_view, with_view

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

Bindings: TypeAlias = Sequence[Any] | Mapping[str, Any]
"""Values of a statement's parameters: any Python value that Spark has a literal for."""
Description: TypeAlias = list[tuple[str, str, None, None, None, None, bool]]
POLL = 0.2
"""Seconds between two interrupts of what was cancelled."""
INTERRUPTING = 5.0
"""Seconds that Ctrl-C waits for the JVM."""
DEFAULT_CATALOG = "spark.sql.defaultCatalog"
LONGEST = 500
"""Characters of a job's description."""


class Cancelled(Exception):
    """The connection was cancelled; it starts nothing new."""


class SessionConnection:
    """One session in the hands of one thread; `cancel` may come from another."""

    def __init__(self, session: SparkSession, catalog: str, schema: str) -> None:
        self.session = session
        self.group = "dbt"
        self.is_kept = False
        """Others are to be copied from it, also after dbt has closed it."""
        self._home: tuple[str, str] | None = (catalog, schema)
        self._cancelled = threading.Event()
        self._idle = threading.Event()
        self._idle.set()
        self._at_work: list[str] = []
        self._group_before: dict[str, str | None] = {}

    def cursor(self) -> Cursor:
        return Cursor(self)

    def copied(self, session: SparkSession) -> SessionConnection:
        """Of a copy of its session, which is in the schema that this one is in."""
        copy = SessionConnection(session, "", "")
        copy._home = self._home
        return copy

    @contextmanager
    def working(self, description: str) -> Iterator[SparkSession]:
        """Jobs started within carry the group and the description, and stop on cancel."""
        self._idle.clear()  # before the question: a cancel in between sees work to stop
        self._at_work.append(description)
        try:
            if self._cancelled.is_set():
                raise Cancelled(f"{self.group} was cancelled")
            if is_remote():
                made_active(self.session)
            self._enter_schema()
            self._tag_jobs(description)
            yield self.session
        except KeyboardInterrupt:  # it ends the wait for an answer; Spark goes on with the work
            in_time(self._interrupt_once, INTERRUPTING)
            raise
        finally:
            self._at_work.pop()
            self._untag_jobs()
            if self._at_work:  # this was one statement of a larger work
                self._tag_jobs(self._at_work[-1])
            else:
                self._idle.set()

    def _enter_schema(self) -> None:
        """As soon as the schema is there: `create schema` runs on such a connection too."""
        if self._home is None:
            return
        catalog, schema = self._home
        if _entered(self.session, catalog, schema):
            self._home = None

    def _tag_jobs(self, description: str) -> None:
        if is_remote():
            self.session.addTag(self._tag)
            return
        context = self.session.sparkContext
        if len(self._at_work) == 1:  # the caller's own, who may be a notebook
            self._group_before = group_of(context)
        shown = masked(description)[:LONGEST]
        context.setJobGroup(self._job_group, shown, interruptOnCancel=True)
        if (name := user()) is not None:
            context.addJobTag(name)

    def _untag_jobs(self) -> None:
        if is_remote():
            self.session.removeTag(self._tag)
            return
        give_back(self.session.sparkContext, self._group_before)
        self._group_before = {}

    @property
    def _job_group(self) -> str:
        """Several processes may run the same node on a warm Spark; one cancels its own jobs."""
        name = user()
        return self.group if name is None else f"{self.group} ({name})"

    @property
    def _tag(self) -> str:
        return self.group.replace(",", " ")

    def cancel(self) -> None:
        """Refuses new statements and stops the jobs of the running one, until it has ended."""
        self._cancelled.set()
        threading.Thread(target=self._interrupt_until_idle, daemon=True).start()

    def _interrupt_until_idle(self) -> None:
        """Again and again: a statement may be between two jobs, or not have come to its first."""
        while not self._idle.is_set():
            self._interrupt()
            self._idle.wait(POLL)

    def _interrupt_once(self) -> None:
        with suppress(PySparkException, Py4JError, OSError):  # there is no more to be ended
            self._interrupt()

    def _interrupt(self) -> None:
        if is_remote():
            self.session.interruptTag(self._tag)
        else:
            self.session.sparkContext.cancelJobGroup(self._job_group)

    def rollback(self) -> None:
        """Spark has no transactions of several statements; there is nothing to take back."""

    def close(self) -> None:
        """The session is dropped with the connection; the process's base session lives on.

        A server is told, and lets go what the session holds.
        """
        if not self.is_kept:
            released(self.session)


def uninterrupted(session: SparkSession) -> AbstractContextManager[None]:
    """What a cancel does not end, which stops jobs by their group or tag: taking something back."""
    return without_tags(session) if is_remote() else without_group(session.sparkContext)


class Cursor:
    """A statement's DataFrame: commands have run after `execute`, queries run when fetched."""

    def __init__(self, connection: SessionConnection) -> None:
        self._connection = connection
        self._frame: DataFrame | None = None
        self._rows: Iterator[Row] | None = None
        self._statement = ""

    def execute(self, sql: str, bindings: Bindings | None = None) -> None:
        self.close()
        self._statement = sql
        with self._connection.working(sql) as session:
            self._frame = _run(session, sql, _arguments(bindings))
            self._frame.schema  # noqa: B018  Spark Connect analyzes here, and the error is execute's

    @property
    def description(self) -> Description | None:
        """Name, type and nullability of each column; None when the statement has none."""
        fields = [] if self._frame is None else self._frame.schema.fields
        return [
            (field.name, field.dataType.simpleString(), None, None, None, None, field.nullable)
            for field in fields
        ] or None

    @cached_property
    def affected_rows(self) -> int | None:
        """What Delta's UPDATE, DELETE and MERGE answer."""
        frame = self._frame
        if frame is None or frame.columns[:1] != ["num_affected_rows"] or not frame.isLocal():
            return None
        (counts,) = frame.collect()
        return int(counts[0])

    def make_fetchable(self) -> None:
        """Timestamps become the session's wall clock: see `fetchable`."""
        with self._connection.working(self._statement):
            self._frame = self._frame and fetchable(self._frame)

    def limit(self, count: int) -> None:
        """Let Spark find no more rows than these."""
        self._frame = self._executed().limit(count)

    def drain(self) -> None:
        """Runs a query that nobody will fetch, all its columns and rows, and drops the result."""
        if not self._executed().isLocal():
            with self._connection.working(self._statement):
                self._query().write.format("noop").mode("overwrite").save()

    def fetchall(self) -> list[Row]:
        if self._rows is not None:
            return self._next_rows(None)
        with self._connection.working(self._statement):
            rows = self._query().collect()
        self._rows = iter(())
        return rows

    def fetchmany(self, size: int = 1) -> list[Row]:
        return self._next_rows(size)

    def fetchone(self) -> Row | None:
        return next(iter(self._next_rows(1)), None)

    def _next_rows(self, count: int | None) -> list[Row]:
        """The next rows from one pass over the result, a partition at a time."""
        with self._connection.working(self._statement):
            if self._rows is None:
                self._rows = self._query().toLocalIterator()
            return list(islice(self._rows, count))

    def _executed(self) -> DataFrame:
        if self._frame is None:
            raise ValueError("nothing was executed on this cursor")
        return self._frame

    def _query(self) -> DataFrame:
        """The statement, to be read: its small tables by the lists that their checksums have."""
        frame = self._executed()
        return frame if is_remote() else reading_as_listed(frame)

    def close(self) -> None:
        self._frame = self._rows = None
        self.__dict__.pop("affected_rows", None)

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _entered(session: SparkSession, catalog: str, schema: str) -> bool:
    """Whether the schema is there, and so the current one: what USE does, at a sixth of its cost.

    A catalog that has taken the place of Spark's own may have others: USE asks that one.
    """
    if catalog == SESSION_CATALOG and not is_remote():
        with suppress(AnalysisException):
            if session.conf.get(DEFAULT_CATALOG, SESSION_CATALOG) == SESSION_CATALOG:
                session._jsparkSession.sessionState().catalog().setCurrentDatabase(schema)
                return True
    try:
        session.sql(f"USE {quoted(catalog)}.{quoted(schema)}")
    except AnalysisException as error:
        if error.getCondition() != "SCHEMA_NOT_FOUND":
            raise
        return False
    return True


def _run(session: SparkSession, sql: str, arguments: Any) -> DataFrame:
    sql = served(session, sql)
    try:
        return _run_at_once(session, sql, arguments)
    except AnalysisException as error:
        if not (is_too_long(error) and made_room(session)):
            raise
    return _run_at_once(session, sql, arguments)


def _run_at_once(session: SparkSession, sql: str, arguments: Any) -> DataFrame:
    if arguments is None and not is_remote() and replaces_a_view(sql):
        return with_view(session, sql)
    return session.sql(sql, args=arguments)


def _arguments(bindings: Bindings | None) -> list[Any] | dict[str, Any] | None:
    if isinstance(bindings, Mapping):
        return dict(bindings)
    return list(bindings) if bindings else None
