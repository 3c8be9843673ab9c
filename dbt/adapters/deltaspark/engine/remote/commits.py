"""A statement that the server runs, and its commit, told by the note that it carries."""

from __future__ import annotations

import logging
import re
import threading
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, NamedTuple

from pyspark.errors import PySparkException

from ..delta import UNKNOWN_VERSION, USER_METADATA, Commit, noted, replayed, session_confs
from ..errors import EngineError, add_note
from ..merge import PADDED_TOO_LATE
from ..metrics import OperationMetrics

if TYPE_CHECKING:
    from py4j.protocol import Py4JError
    from pyspark.sql import DataFrame, SparkSession

logger = logging.getLogger(__name__)

REASON = "Spark Connect: the server's own commands"
NOT_THERE = (
    "TABLE_OR_VIEW_NOT_FOUND",
    "DELTA_TABLE_NOT_FOUND",
    "DELTA_MISSING_DELTA_TABLE",
    "DELTA_PATH_DOES_NOT_EXIST",
    "PATH_NOT_FOUND",
    "SCHEMA_NOT_FOUND",
)
QUOTED = re.compile(r"`((?:[^`]|``)*)`")
CONFLICTS = (
    "DELTA_CONCURRENT_",
    "DELTA_METADATA_CHANGED",
    "DELTA_PROTOCOL_CHANGED",
    "DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS",
)
ONE_RUN = re.compile(r'(?:^| )dbt-deltaspark [0-9a-f]{32}$|"invocation_id": "[0-9a-f-]{36}"')
"""What a note has that no other run's note has: one of our own, or that of dbt's invocation. In the
process a table has one writer at a time (`turn`)."""
_turns: dict[str, threading.RLock] = {}
"""Of each table, by its name."""
NEWEST = 100
"""Commits that are looked through; as many by others while a statement ran are not expected."""


class Logged(NamedTuple):
    """A commit of anyone's, as DESCRIBE HISTORY has it."""

    version: int
    note: str | None
    metrics: dict[str, int]


def committed(
    spark: SparkSession,
    table: str,
    run: Callable[[], object],
    *,
    confs: Mapping[str, str] | None = None,
    conflict_retries: int = 0,
    user_metadata: str | None = None,
    is_last: bool = True,
) -> Commit:
    """The run's commit to the table; again after each conflict that commits nothing.

    Where the caller gives no note the history has the session's, with what the commit is found by.
    Where the run ends in an error and its commit is there, that is a success, with a warning; what
    is to end the process is raised with a note, but where others follow and the caller takes it
    back.
    """
    note = own_note(spark) if user_metadata is None else user_metadata
    with turn(table):
        before = newest_version(spark, table)

        def attempt(_: int) -> None:
            try:
                _run(table, run)
            except BaseException as error:
                if not (is_last or isinstance(error, Exception)):
                    raise
                if not _has_landed(spark, table, before, note, error):
                    raise

        with session_confs(spark, {**(confs or {}), **noted(note)}):
            replayed(attempt, conflict_retries, is_conflict)
        return commit_after(spark, table, before, lambda each: each.note == note)


def _run(table: str, run: Callable[[], object]) -> None:
    """Run it; the error of a MERGE that reads a CHAR column of its target says what to do.

    Delta's own cannot: Spark pads what is read of one when Delta has resolved the clauses. Without
    the padding keys would be compared as they are stored, which is with blanks or without.
    """
    try:
        run()
    except PySparkException as error:
        if error.getCondition() != PADDED_TOO_LATE:
            raise
        raise EngineError(
            "over Spark Connect a merge cannot read a CHAR column of its target, and one of"
            f" {plain(table)} is a key, or in a condition or a value, here. Give the column the"
            " type STRING or VARCHAR (in dbt data_type of the contract, and --full-refresh), or"
            " merge with Spark in the process (without `remote`)"
        ) from error


def own_note(spark: SparkSession, given: str | None = None) -> str:
    """That or the session's, as it is where no other run has it, else with ours after it; or ours
    alone.
    """
    said = (spark.conf.get(USER_METADATA, None) or "") if given is None else given
    if ONE_RUN.search(said):
        return said
    return f"{said} dbt-deltaspark {uuid.uuid4().hex}".lstrip()


def _has_landed(
    spark: SparkSession, table: str, before: int, note: str, error: BaseException
) -> bool:
    """Whether the commit is made, so that the error only came after it, as a cancel may.

    Where that is not to be known, or the error is to end the process, a note of it says so.
    """
    try:
        with uninterrupted(spark):
            found = [each for each in commits_after(spark, table, before) if each.note == note]
    except PySparkException as unreadable:
        if unreadable.getCondition() not in NOT_THERE:
            add_note(error, f"Whether {table} was written is unknown: {unreadable}")
        return False
    if not found:
        return False
    version = found[0].version
    if ONE_RUN.search(note) is None:
        add_note(error, f"Version {version} of {table} has the note of this write, and may be it.")
        return False
    if not isinstance(error, Exception):
        add_note(error, f"{table} is written in version {version}.")
        return False
    told = "version %d of %s is committed; what follows a commit failed: %s"
    logger.warning(told, version, table, error)
    return True


@contextmanager
def uninterrupted(spark: SparkSession) -> Iterator[None]:
    """What a cancel does not end, which interrupts what has a tag: taking back, and looking."""
    tags = spark.getTags()
    spark.clearTags()
    try:
        yield
    finally:
        for tag in tags:
            spark.addTag(tag)


def turn(table: str) -> AbstractContextManager[object]:
    """Threads of this process that write one table do so in turns.

    To Delta the windows of two batches are a conflict.
    """
    return _turns.setdefault(table, threading.RLock())


def commit_after(
    spark: SparkSession, table: str, before: int, is_ours: Callable[[Logged], bool]
) -> Commit:
    """Our commit after that version; UNKNOWN_VERSION where the history cannot be read."""
    try:
        with uninterrupted(spark):
            found = commits_after(spark, table, before)
        return only([each for each in found if is_ours(each)])
    except PySparkException as error:
        logger.warning("%s is written, and its history cannot be read: %s", table, error)
        return Commit(UNKNOWN_VERSION, OperationMetrics())


def only(commits: Sequence[Logged]) -> Commit:
    """The one of them; of several it is not known which is the caller's."""
    if not commits:
        return Commit(None, OperationMetrics())
    if len(commits) > 1:
        return Commit(UNKNOWN_VERSION, OperationMetrics())
    return Commit(commits[0].version, OperationMetrics.of(commits[0].metrics))


def newest_version(spark: SparkSession, table: str) -> int:
    """-1 where there is no such table."""
    found = spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1") if is_there(spark, table) else None
    rows = [] if found is None else found.select("version").collect()
    return rows[0][0] if rows else -1


def plain(name: str) -> str:
    """The name without backticks, as errors of the engine in the process have it."""
    return QUOTED.sub(lambda found: found[1].replace("``", "`"), name)


def is_there(spark: SparkSession, table: str) -> bool:
    try:
        spark.table(table).schema  # noqa: B018  Spark Connect analyzes here
    except PySparkException as error:
        if error.getCondition() not in NOT_THERE:
            raise
        return False
    return True


def commits_after(spark: SparkSession, table: str, before: int) -> list[Logged]:
    history = spark.sql(f"DESCRIBE HISTORY {table} LIMIT {NEWEST}").where(f"version > {before}")
    rows = history.select("version", "userMetadata", "operationMetrics").collect()
    return [
        Logged(version, note, {k: int(v) for k, v in (metrics or {}).items() if v.isdigit()})
        for version, note, metrics in rows
    ]


def is_conflict(error: PySparkException | Py4JError) -> bool:
    """Whether another commit came first, so that the server committed nothing."""
    if isinstance(error, PySparkException):
        return (error.getCondition() or "").startswith(CONFLICTS)
    return False


@contextmanager
def as_view(frame: DataFrame) -> Iterator[str]:
    """The rows under a name that SQL can read; temporary views have no catalog and no schema."""
    name = f"__dbt_deltaspark_{uuid.uuid4().hex}"
    frame.createOrReplaceTempView(name)
    try:
        yield name
    finally:
        frame.sparkSession.catalog.dropTempView(name)
